package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import java.util.concurrent.CompletableFuture;
import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.util.MimeTypeUtils;

/** Sends through {@link StreamBridge} what a binding can confirm. */
record Bridge(StreamBridge stream, Bindings bindings) {
  /** May block. The outcome is completed by any thread; perhaps never. */
  CompletableFuture<Confirmation> send(Outgoing message) {
    String binding = message.destination().target();
    String unconfirmed = bindings.unconfirmedOnce(binding);
    if (unconfirmed != null) {
      return done(new Confirmation.Rejected(message.sendId(), "not-confirmed", unconfirmed));
    }
    BinderKind kind = bindings.byDefault();
    Confirmation refused = kind.refusal(message);
    if (refused != null) {
      return done(refused);
    }
    BinderKind.Handover handover = kind.handover(message);
    try {
      stream.send(binding, handover.message(), MimeTypeUtils.APPLICATION_OCTET_STREAM);
      if (!stream.isAsync()) {
        handover.returned().run();
      }
      return handover.outcome();
    } catch (RuntimeException | Error e) {
      handover.outcome().cancel(false);
      return done(kind.failure(message, e));
    }
  }

  private static CompletableFuture<Confirmation> done(Confirmation outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
