package io.waybill.bench.load;

import io.waybill.bench.wire.Wire;
import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Events as a relay of Waybill publishes them, for those that only send or only consume. */
public final class Published {
  /** Type of all events. */
  public static final String TYPE = "order.placed";

  private final List<byte[]> templates = Payloads.templates();

  /**
   * The headers of an event in the raw format.
   *
   * @param id event id
   * @param key key of the event
   * @return what a relay sends with it
   */
  public static List<Header> headers(String id, int key) {
    return List.of(
        new Header("waybill-event-id", id),
        new Header("waybill-event-type", TYPE),
        new Header("waybill-event-version", "1"),
        new Header("waybill-aggregate-type", "order"),
        new Header("waybill-aggregate-id", Integer.toString(key)),
        new Header("waybill-created-at", "2026-01-01T00:00:00.000000Z"),
        new Header("content-type", "application/json"));
  }

  /**
   * One event, with an id that says which one it is and grows as ids of the time do.
   *
   * @param key key of the event
   * @param position number of the event within its key, from 0
   * @return its message
   */
  public Wire.Message message(int key, long position) {
    String id = new UUID(position, key).toString();
    byte[] body = templates.get((int) ((key + position) % templates.size())).clone();
    Ref.put(body, Ref.of(key, position));
    byte[] name = Integer.toString(key).getBytes(StandardCharsets.US_ASCII);
    return new Wire.Message(name, body, id, TYPE, headers(id, key));
  }

  /**
   * Which event it is.
   *
   * @param id id of an event of {@link #message}
   * @return reference
   */
  public static long ref(String id) {
    UUID uuid = UUID.fromString(id);
    return Ref.of((int) uuid.getLeastSignificantBits(), uuid.getMostSignificantBits());
  }
}
