package io.waybill.rabbitmq.internal;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;

/**
 * Why a channel ended.
 *
 * @param replyCode AMQP reply code of the broker, 0 when it gave none
 * @param text one sentence for an operator
 * @param onPublish whether the broker refused a publish of this very channel
 */
public record CloseCause(int replyCode, String text, boolean onPublish) {
  /** A confirmation is overdue. */
  public static final CloseCause OVERDUE = none("a confirmation is overdue");

  private static final int BASIC_CLASS = 60;
  private static final int PUBLISH_METHOD = 40;

  /** What the client library says of it. */
  public static CloseCause of(ShutdownSignalException signal) {
    Method reason = signal.getReason();
    if (signal.isInitiatedByApplication()) {
      return none("closed by this client");
    }
    if (reason instanceof AMQP.Channel.Close close) {
      boolean onPublish =
          close.getClassId() == BASIC_CLASS && close.getMethodId() == PUBLISH_METHOD;
      return new CloseCause(close.getReplyCode(), close.getReplyText(), onPublish);
    }
    if (reason instanceof AMQP.Connection.Close close) {
      return new CloseCause(close.getReplyCode(), close.getReplyText(), false);
    }
    Throwable cause = signal.getCause();
    return none("connection lost" + (cause == null ? "" : ": " + Failures.describe(cause)));
  }

  /** A cause that the broker has no part in. */
  public static CloseCause none(String text) {
    return new CloseCause(0, text, false);
  }

  /** Whether one of the outstanding messages may have caused it. */
  public boolean blamesMessage() {
    return replyCode != 0 && replyCode != AMQP.CONNECTION_FORCED;
  }

  /** Whether a publish was refused for its exchange, so that all messages for it would be. */
  public boolean blamesExchange() {
    return blamesExchange(replyCode);
  }

  /** Whether the code says that the exchange was refused. */
  public static boolean blamesExchange(int replyCode) {
    return replyCode == AMQP.NOT_FOUND || replyCode == AMQP.ACCESS_REFUSED;
  }
}
