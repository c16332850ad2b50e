package io.waybill.rabbitmq.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.rabbitmq.internal.CloseCause;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the end of a channel, a refusal on it and its silence mean for sends and channel. Guarded by
 * the lock of the publish window.
 */
final class ChannelFailures {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelFailures.class);

  private final WaitingSends waiting;
  private final Reports reports;
  private final boolean isStrict;

  ChannelFailures(WaitingSends waiting, Reports reports, boolean isStrict) {
    this.waiting = waiting;
    this.reports = reports;
    this.isStrict = isStrict;
  }

  /** Where order needs one channel, that is opened anew; all wait until it is empty. */
  void refused(ConfirmChannel channel, Send send, @Nullable Session session) {
    if (!isStrict) {
      waiting.isolation().refused(send);
    }
    if (isStrict || session == null || session.main() != channel) {
      channel.refused();
    }
  }

  /** The broker, or the end of the connection, closed a channel. */
  void closed(ConfirmChannel channel, CloseCause cause, List<Confirmation> outcomes) {
    Send single = channel.outstanding().single();
    if (single != null && cause.onPublish()) {
      channel.outstanding().takeAll(send -> {});
      waiting.isolation().convicted(single, cause);
      reports.add(single, Outcomes.closing(single, cause.replyCode(), cause.text()), outcomes);
      LOG.debug("Event {} closed its channel: {}", single.message().eventId(), cause.text());
    }
    end(channel, cause, outcomes);
    if (cause.blamesMessage() && outcomes.size() > 1) {
      LOG.warn(
          "RabbitMQ closed a channel ({} {}) with {} messages unconfirmed. Each is sent again"
              + " alone until the faulty one is found.",
          cause.replyCode(),
          cause.text(),
          outcomes.size());
    }
  }

  /** What is outstanding on it is unknown. Idempotent. */
  void end(ConfirmChannel channel, CloseCause cause, List<Confirmation> outcomes) {
    if (channel.isDead()) {
      return;
    }
    channel.die();
    channel
        .outstanding()
        .takeAll(
            send -> {
              reports.add(send, send.lost("channel-closed", cause.text()), outcomes);
              if (cause.blamesMessage()) {
                waiting.isolation().raise(send);
              }
            });
    if (cause.blamesMessage()) {
      waiting.sort();
    }
  }

  /** Their destinations go aside until they answer, and channels that are to be given up end. */
  void overdue(Overdue overdue, List<Confirmation> outcomes) {
    if (!isStrict) {
      overdue.sends().forEach(waiting.isolation()::silent);
      waiting.sort();
    }
    overdue.channels().forEach(channel -> end(channel, CloseCause.OVERDUE, outcomes));
  }
}
