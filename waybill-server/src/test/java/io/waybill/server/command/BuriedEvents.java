package io.waybill.server.command;

import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.DeadLetterForm;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Dead letters of two consumers, in every form that a letter has. */
abstract class BuriedEvents extends DeadLetterSetting {
  static final byte[] BINARY = {0, -1, 'x'};
  static final DeadLetterEncoder PAYMENT = new DeadLetterEncoder("payment");
  static final DeadLetterEncoder INVENTORY = new DeadLetterEncoder("inventory");

  /** Two of one key, one of another, one that is no JSON. */
  final void bury() throws Exception {
    bury(PAYMENT, "e1", "placed", "1", json("e1"), Duration.ofHours(2));
    bury(PAYMENT, "e2", "placed", "1", json("e2"), Duration.ofHours(1));
    bury(INVENTORY, "e3", "paid", "2", json("e3"), Duration.ofMinutes(1));
    bury(PAYMENT, "e4", "placed", "3", BINARY, Duration.ofMinutes(1));
  }

  final void bury(String id, Duration ago) throws Exception {
    bury(PAYMENT, id, "placed", "1", json(id), ago);
  }

  static byte[] json(String id) {
    return ("{\"n\": 1.50, \"id\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8);
  }

  void bury(
      DeadLetterEncoder encoder, String id, String type, String key, byte[] body, Duration ago)
      throws Exception {
    bury(encoder, id, type, key, body, ago, DeadLetterForm.JSON);
  }

  void bury(
      DeadLetterEncoder encoder,
      String id,
      String type,
      String key,
      byte[] body,
      Duration ago,
      DeadLetterForm form)
      throws Exception {
    Headers headers =
        new Headers(
            List.of(
                new Header("waybill-event-id", id),
                new Header("waybill-event-type", type),
                new Header("waybill-aggregate-type", "order"),
                new Header("waybill-aggregate-id", key),
                new Header("content-type", "application/vnd.shop"),
                new Header("tenant", "red")));
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    ReceivedEvent event =
        new ReceivedEvent(
            id,
            type,
            1,
            null,
            source,
            null,
            null,
            Payload.of(body, "application/vnd.shop"),
            headers,
            null,
            null,
            null,
            null,
            Map.of(),
            0,
            null);
    broker()
        .send(
            encoder.encode(
                new DeadLetterEncoder.Original(
                    source, bytes, body, headers, 0, source + "-0@5", event),
                new DeadLetterEncoder.Verdict(
                    "permanent-failure",
                    "shop." + type + "Exception: no",
                    Instant.now().minus(ago)),
                form,
                broker().destination(source + ".dlt"),
                1));
  }
}
