package io.waybill.kafka.internal;

import io.waybill.broker.Confirmation;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Why a send was not confirmed. Told apart by the class of the exception alone.
 *
 * @param kind whose matter it is
 * @param reason short machine-readable class
 * @param detail one sentence for an operator
 */
public record Refusal(Kind kind, String reason, String detail) {
  /** Whose matter a refusal is. */
  public enum Kind {
    /** The message's own: it would be refused tomorrow, too. */
    MESSAGE,
    /** The topic's, whatever the message is. */
    TOPIC,
    /** Nobody's: it was not handed to the client. */
    NOT_SENT,
    /** Nobody knows, and it may be stored. */
    UNKNOWN
  }

  /** The topic is not there. */
  public static final Refusal MISSING =
      new Refusal(Kind.TOPIC, "topic-missing", "the topic does not exist");

  /** Nobody could say what the topic is like. */
  public static final Refusal SILENT =
      unknown("topic-lookup-timeout", "the broker did not answer a question for the topic");

  /** It would pass a message of its key. */
  public static final Refusal HELD =
      notSent("behind-failed-send", "an earlier message of the key failed");

  /** No room came up in time. */
  public static final Refusal FULL =
      notSent("buffer-full", "the client's buffer.memory is full of what is under way");

  /** The end came before the message was handed over, or before its outcome. */
  public static final Refusal CLOSED =
      unknown("closed", "the publisher was closed before the outcome was known");

  public static Refusal rejected(String reason, String detail) {
    return new Refusal(Kind.MESSAGE, reason, detail);
  }

  public static Refusal unknown(String reason, String detail) {
    return new Refusal(Kind.UNKNOWN, reason, detail);
  }

  private static Refusal notSent(String reason, String detail) {
    return new Refusal(Kind.NOT_SENT, reason, detail);
  }

  /** Classifies what the client reports. What is not listed may have been stored. */
  public static Refusal of(Throwable e) {
    String detail = e.getClass().getSimpleName() + ": " + e.getMessage();
    String topics = topicReason(e);
    if (topics != null) {
      return new Refusal(Kind.TOPIC, topics, detail);
    }
    if (e instanceof BufferExhaustedException) {
      return FULL;
    }
    String own = ownReason(e);
    return own != null ? rejected(own, detail) : unknown(openReason(e), detail);
  }

  /** Whether message or topic were refused. */
  public boolean isDefinite() {
    return kind == Kind.MESSAGE || kind == Kind.TOPIC;
  }

  /** The same where it is not certain that the message itself was meant. */
  public Refusal ofTopic() {
    return new Refusal(Kind.TOPIC, reason, detail);
  }

  private static @Nullable String topicReason(Throwable e) {
    if (e instanceof TopicAuthorizationException || e instanceof ClusterAuthorizationException) {
      return "not-authorized";
    }
    return e instanceof InvalidTimestampException ? "invalid-timestamp" : null;
  }

  private static @Nullable String ownReason(Throwable e) {
    if (e instanceof RecordTooLargeException || e instanceof RecordBatchTooLargeException) {
      return "record-too-large";
    }
    if (e instanceof InvalidTopicException) {
      return "invalid-topic";
    }
    if (e instanceof InvalidRecordException) {
      return "invalid-record";
    }
    if (e instanceof SerializationException
        || e instanceof UnsupportedForMessageFormatException
        || e instanceof UnsupportedCompressionTypeException) {
      return "unsupported-record";
    }
    return null;
  }

  private static String openReason(Throwable e) {
    if (e instanceof TimeoutException) {
      return "delivery-timeout";
    }
    if (e instanceof NetworkException || e instanceof DisconnectException) {
      return "disconnected";
    }
    if (e instanceof AuthenticationException) {
      return "authentication-failed";
    }
    if (e instanceof NotEnoughReplicasException
        || e instanceof NotEnoughReplicasAfterAppendException) {
      return "not-enough-replicas";
    }
    if (e instanceof UnknownTopicOrPartitionException) {
      return "topic-missing";
    }
    return isProducerState(e) ? "producer-state" : "send-failed";
  }

  private static boolean isProducerState(Throwable e) {
    return e instanceof OutOfOrderSequenceException
        || e instanceof ProducerFencedException
        || e instanceof InvalidProducerEpochException
        || e instanceof InvalidPidMappingException
        || e instanceof UnknownProducerIdException;
  }

  public Confirmation outcome(long sendId) {
    return switch (kind) {
      case MESSAGE -> new Confirmation.Rejected(sendId, reason, detail);
      case TOPIC -> new Confirmation.Refused(sendId, reason, detail, false);
      case NOT_SENT -> new Confirmation.NotSent(sendId, reason, detail);
      case UNKNOWN -> new Confirmation.Unknown(sendId, reason, detail);
    };
  }
}
