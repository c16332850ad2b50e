package io.waybill.rabbitmq.internal.send;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Return;
import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.rabbitmq.internal.CloseCause;

/** Puts what happened to a send into words. */
final class Outcomes {
  private Outcomes() {}

  static Confirmation.Unknown unknown(Send send, String reason, String detail) {
    return new Confirmation.Unknown(send.message().sendId(), reason, detail);
  }

  static Confirmation.Rejected rejected(Send send, String reason, String detail) {
    return new Confirmation.Rejected(send.message().sendId(), reason, detail);
  }

  private static Confirmation.Refused refused(
      Send send, String reason, String detail, boolean copyPossible) {
    return new Confirmation.Refused(send.message().sendId(), reason, detail, copyPossible);
  }

  static Confirmation.Refused unroutable(Send send, Return returned) {
    String detail =
        "returned with %d %s: exchange '%s', routing key '%s'"
            .formatted(
                returned.getReplyCode(),
                returned.getReplyText(),
                returned.getExchange(),
                returned.getRoutingKey());
    return refused(send, "unroutable", detail, false);
  }

  /** One of several queues was full, or failed; others may have taken the message. */
  static Confirmation.Refused nacked(Send send) {
    Destination destination = send.message().destination();
    return refused(
        send,
        "nacked",
        "the broker refused the message for exchange '%s', routing key '%s'; is a queue full?"
            .formatted(destination.target(), destination.routingKey()),
        true);
  }

  /** A publish that closed its channel, for its exchange or for itself. */
  static Confirmation.NotConfirmed closing(Send send, int replyCode, String replyText) {
    String reason =
        switch (replyCode) {
          case AMQP.NOT_FOUND -> "exchange-missing";
          case AMQP.ACCESS_REFUSED -> "access-refused";
          case AMQP.PRECONDITION_FAILED -> "precondition-failed";
          default -> "refused-" + replyCode;
        };
    String detail =
        "publishing to exchange '%s' closed the channel: %s".formatted(send.exchange(), replyText);
    return CloseCause.blamesExchange(replyCode)
        ? refused(send, reason, detail, false)
        : rejected(send, reason, detail);
  }
}
