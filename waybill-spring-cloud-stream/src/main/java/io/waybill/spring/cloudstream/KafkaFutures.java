package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.integration.kafka.outbound.KafkaProducerMessageHandler;
import org.springframework.integration.kafka.support.KafkaIntegrationHeaders;
import org.springframework.kafka.support.SendResult;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/**
 * The futures of sends: the binder's handlers hand them out for tokens, each to a channel of its
 * own, which also looks at what the handler became after all customizers. Thread-safe.
 */
final class KafkaFutures {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaFutures.class);

  private final Duration deliveryTimeout;
  private final AtomicLong tokens = new AtomicLong();
  private final Map<Long, Open> open = new ConcurrentHashMap<>();
  private final Map<String, String> broken = new ConcurrentHashMap<>();
  private final AtomicBoolean missed = new AtomicBoolean();

  KafkaFutures(Duration deliveryTimeout) {
    this.deliveryTimeout = deliveryTimeout;
  }

  /** A send that waits for its future. */
  static final class Open {
    private final Outgoing message;
    private final long token;
    private final CompletableFuture<Confirmation> outcome = new CompletableFuture<>();
    private volatile boolean given;

    private Open(Outgoing message, long token) {
      this.message = message;
      this.token = token;
    }

    /** Bytes, since the header mapper leaves a note of the class of everything else. */
    byte[] token() {
      return ByteBuffer.allocate(Long.BYTES).putLong(token).array();
    }

    CompletableFuture<Confirmation> outcome() {
      return outcome;
    }
  }

  Open open(Outgoing message) {
    Open send = new Open(message, tokens.incrementAndGet());
    open.put(send.token, send);
    // A send whose time is up is cancelled: its entry must not stay.
    CompletableFuture<?> unused =
        send.outcome.whenComplete((done, failure) -> open.remove(send.token));
    return send;
  }

  /** The rule that a binding's handler was seen to break; null if there is none. */
  @Nullable String broken(String binding) {
    return broken.get(binding);
  }

  /** The bridge has returned: a future that was not given by now never will be. */
  void returned(Open send) {
    if (send.given) {
      return;
    }
    String detail =
        "binding '"
            + send.message.destination().target()
            + "' gave no future, so nothing confirms the send: an interceptor stopped it, or a"
            + " BinderCustomizer replaced the handlers' customizer; make that a bean of type"
            + " ProducerMessageHandlerCustomizer";
    if (missed.compareAndSet(false, true)) {
      LOG.error(
          "Events are sent but never count as published, so the relay sends them again: {}",
          detail);
    }
    send.outcome.complete(new Confirmation.Unknown(send.message.sendId(), "no-future", detail));
  }

  /** Where a handler puts its futures. */
  MessageChannel of(KafkaProducerMessageHandler<?, ?> handler) {
    return new Given(handler);
  }

  private final class Given implements MessageChannel {
    private final KafkaProducerMessageHandler<?, ?> handler;
    private boolean looked;

    private Given(KafkaProducerMessageHandler<?, ?> handler) {
      this.handler = handler;
    }

    /** Called by the handler within the send. */
    @Override
    public boolean send(Message<?> message, long timeout) {
      Object token = message.getHeaders().get(KafkaIntegrationHeaders.FUTURE_TOKEN);
      if (token instanceof byte[] bytes
          && message.getPayload() instanceof CompletableFuture<?> sent) {
        Open own = open.get(ByteBuffer.wrap(bytes).getLong());
        if (own != null) {
          own.given = true;
          pass(own, sent);
        }
      }
      return true;
    }

    private void pass(Open own, CompletableFuture<?> sent) {
      long id = own.message.sendId();
      String binding = own.message.destination().target();
      look(binding);
      String rule = broken.get(binding);
      if (rule != null) {
        own.outcome.complete(new Confirmation.Rejected(id, "not-confirmed", "sent, but " + rule));
        return;
      }
      CompletableFuture<?> unused =
          sent.whenComplete(
              (result, failure) ->
                  own.outcome.complete(
                      failure == null
                          ? outcome(id, (SendResult<?, ?>) result)
                          : KafkaKind.unsent(own.message, failure)));
    }

    private synchronized void look(String binding) {
      if (looked) {
        return;
      }
      looked = true;
      Map<String, Object> producer =
          handler.getKafkaTemplate().getProducerFactory().getConfigurationProperties();
      String rule = KafkaRules.broken(binding, producer);
      if (rule == null) {
        rule = KafkaRules.dropping(binding, handler.getHeaderMapper());
      }
      if (rule == null) {
        KafkaRules.warnOfTime(binding, producer, deliveryTimeout);
      } else {
        broken.put(binding, rule);
      }
    }
  }

  private static Confirmation outcome(long id, @Nullable SendResult<?, ?> result) {
    return result != null && result.getRecordMetadata().hasOffset()
        ? new Confirmation.Confirmed(
            id, result.getRecordMetadata().partition(), result.getRecordMetadata().offset())
        : new Confirmation.Unknown(id, "no-offset", "the producer does not wait for the broker");
  }
}
