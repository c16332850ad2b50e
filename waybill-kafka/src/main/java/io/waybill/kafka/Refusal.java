package io.waybill.kafka;

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
 * @param definite whether broker or client definitely refused this message
 * @param reason short machine-readable class
 * @param detail one sentence for an operator
 */
record Refusal(boolean definite, String reason, String detail) {
  static Refusal rejected(String reason, String detail) {
    return new Refusal(true, reason, detail);
  }

  static Refusal unknown(String reason, String detail) {
    return new Refusal(false, reason, detail);
  }

  /** Classifies what the client reports. What is not listed may have been stored. */
  static Refusal of(Exception e) {
    String definite = definiteReason(e);
    String detail = e.getClass().getSimpleName() + ": " + e.getMessage();
    return definite != null ? rejected(definite, detail) : unknown(openReason(e), detail);
  }

  private static @Nullable String definiteReason(Exception e) {
    if (e instanceof RecordTooLargeException || e instanceof RecordBatchTooLargeException) {
      return "record-too-large";
    }
    if (e instanceof InvalidTopicException) {
      return "invalid-topic";
    }
    if (e instanceof TopicAuthorizationException || e instanceof ClusterAuthorizationException) {
      return "not-authorized";
    }
    if (e instanceof InvalidRecordException || e instanceof InvalidTimestampException) {
      return "invalid-record";
    }
    if (e instanceof SerializationException
        || e instanceof UnsupportedForMessageFormatException
        || e instanceof UnsupportedCompressionTypeException) {
      return "unsupported-record";
    }
    return null;
  }

  private static String openReason(Exception e) {
    if (e instanceof BufferExhaustedException) {
      return "buffer-full";
    }
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

  private static boolean isProducerState(Exception e) {
    return e instanceof OutOfOrderSequenceException
        || e instanceof ProducerFencedException
        || e instanceof InvalidProducerEpochException
        || e instanceof InvalidPidMappingException
        || e instanceof UnknownProducerIdException;
  }

  Confirmation outcome(long sendId) {
    return definite
        ? new Confirmation.Rejected(sendId, reason, detail)
        : new Confirmation.Unknown(sendId, reason, detail);
  }
}
