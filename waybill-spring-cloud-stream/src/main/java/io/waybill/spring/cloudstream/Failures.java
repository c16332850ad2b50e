package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import java.util.Optional;

/** Puts exceptions of binders into words. */
final class Failures {
  private Failures() {}

  /** The innermost cause of a type: wrappers of the same type say less. */
  static <T extends Throwable> Optional<T> cause(Throwable thrown, Class<T> type) {
    Optional<T> found = Optional.empty();
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        found = Optional.of(type.cast(at));
      }
    }
    return found;
  }

  static Confirmation.Unknown unknown(Outgoing message, Throwable thrown) {
    Throwable root = cause(thrown, Throwable.class).orElse(thrown);
    String detail =
        "binding '%s': %s: %s"
            .formatted(
                message.destination().target(), root.getClass().getSimpleName(), root.getMessage());
    return new Confirmation.Unknown(message.sendId(), "send-failed", detail);
  }
}
