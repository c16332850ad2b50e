package io.waybill.internal.inbox;

import io.waybill.handler.Registration;
import io.waybill.handler.UnknownTypes;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.internal.text.Quoted;
import io.waybill.message.ReceivedEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the handler of an event. Immutable. */
public final class Handlers {
  private record Key(String type, int version) {}

  private final Map<Key, Registration> byKey = new HashMap<>();
  private final UnknownTypes unknown;

  /**
   * Collects the handlers of an inbox.
   *
   * @param registrations at most one for each type and version
   * @param unknown what happens to other events
   * @throws IllegalArgumentException if two are for the same type and version
   */
  public Handlers(List<Registration> registrations, UnknownTypes unknown) {
    this.unknown = unknown;
    for (Registration registration : registrations) {
      Key key = new Key(registration.type(), registration.version());
      if (byKey.put(key, registration) != null) {
        throw new IllegalArgumentException(
            "Type "
                + Quoted.of(key.type())
                + (key.version() == Registration.ANY_VERSION ? "" : " version " + key.version())
                + " must have one handler, but has two");
      }
    }
  }

  /**
   * Chooses the handler of type and version, otherwise that of the type, otherwise follows the
   * policy. A message that is no event is dead-lettered.
   *
   * @param decoded the message
   * @return what to do with it
   */
  public Plan plan(Decoded decoded) {
    if (decoded instanceof Decoded.Undecodable bad) {
      return new Plan.Bury(bad.reason(), bad.detail());
    }
    ReceivedEvent event = ((Decoded.Event) decoded).event();
    Registration found = find(event);
    return found == null ? unknown(event) : new Plan.Handle(found);
  }

  private @Nullable Registration find(ReceivedEvent event) {
    Registration exact = byKey.get(new Key(event.type(), event.version()));
    return exact == null ? byKey.get(new Key(event.type(), Registration.ANY_VERSION)) : exact;
  }

  private Plan unknown(ReceivedEvent event) {
    if (unknown == UnknownTypes.IGNORE) {
      return new Plan.Ignore();
    }
    String detail =
        "no handler for type " + Quoted.of(event.type()) + " version " + event.version();
    return unknown == UnknownTypes.DEAD_LETTER
        ? new Plan.Bury("unknown-type", detail)
        : new Plan.Halt(detail);
  }
}
