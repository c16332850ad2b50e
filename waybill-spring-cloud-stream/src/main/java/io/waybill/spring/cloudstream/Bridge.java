package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.stream.binder.BinderFactory;
import org.springframework.cloud.stream.config.BindingServiceProperties;
import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.util.MimeTypeUtils;

/** Sends through {@link StreamBridge}, and knows how each binding's binder confirms. */
record Bridge(
    StreamBridge stream, BinderFactory factory, BindingServiceProperties properties, Binders all) {
  /** The kind of the default binder. */
  BinderKind byDefault() {
    return all.kind(factory, null);
  }

  private BinderKind kind(String binding) {
    return all.kind(factory, properties.getBinder(binding));
  }

  /** Why sends to a binding can't be confirmed, with what mends it; null if they can be. */
  @Nullable String unconfirmed(String binding) {
    try {
      return all.unconfirmed(kind(binding), properties, binding);
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  /** May block. The outcome is completed by any thread; perhaps never. */
  CompletableFuture<Confirmation> send(Outgoing message) {
    String binding = message.destination().target();
    String unconfirmed = unconfirmed(binding);
    if (unconfirmed != null) {
      return done(new Confirmation.Rejected(message.sendId(), "not-confirmed", unconfirmed));
    }
    BinderKind kind = kind(binding);
    Confirmation refused = kind.refusal(message);
    if (refused != null) {
      return done(refused);
    }
    BinderKind.Handover handover = kind.handover(message);
    try {
      stream.send(binding, handover.message(), MimeTypeUtils.APPLICATION_OCTET_STREAM);
      return handover.outcome();
    } catch (RuntimeException e) {
      handover.outcome().cancel(false);
      return done(kind.failure(message, e));
    }
  }

  private static CompletableFuture<Confirmation> done(Confirmation outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
