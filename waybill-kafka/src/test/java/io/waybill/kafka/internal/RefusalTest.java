package io.waybill.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.waybill.broker.Confirmation;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalTest {
  static Stream<Arguments> definite() {
    return Stream.of(
        arguments(new RecordTooLargeException("m"), "record-too-large"),
        arguments(new InvalidTopicException("m"), "invalid-topic"),
        arguments(new SerializationException("m"), "unsupported-record"),
        arguments(new InvalidRecordException("m"), "invalid-record"));
  }

  static Stream<Arguments> ofTheTopic() {
    return Stream.of(
        arguments(new InvalidTimestampException("m"), "invalid-timestamp"),
        arguments(new TopicAuthorizationException(Set.of("t")), "not-authorized"),
        arguments(new ClusterAuthorizationException("m"), "not-authorized"));
  }

  static Stream<Arguments> open() {
    return Stream.of(
        arguments(new TimeoutException("m"), "delivery-timeout"),
        arguments(new NetworkException("m"), "disconnected"),
        arguments(new DisconnectException("m"), "disconnected"),
        arguments(new SaslAuthenticationException("m"), "authentication-failed"),
        arguments(new NotEnoughReplicasException("m"), "not-enough-replicas"),
        arguments(new NotEnoughReplicasAfterAppendException("m"), "not-enough-replicas"),
        arguments(new UnknownTopicOrPartitionException("m"), "topic-missing"),
        arguments(new OutOfOrderSequenceException("m"), "producer-state"),
        arguments(new ProducerFencedException("m"), "producer-state"),
        arguments(new UnknownServerException("m"), "send-failed"),
        arguments(new KafkaException("Producer is closed forcefully."), "send-failed"),
        arguments(new IllegalStateException("m"), "send-failed"));
  }

  @ParameterizedTest
  @MethodSource("definite")
  void rejectsWhatWillNeverPass(Exception exception, String reason) {
    assertThat(Refusal.of(exception).outcome(7))
        .isInstanceOfSatisfying(
            Confirmation.Rejected.class,
            rejected -> {
              assertThat(rejected.sendId()).isEqualTo(7);
              assertThat(rejected.reason()).isEqualTo(reason);
              assertThat(rejected.detail()).startsWith(exception.getClass().getSimpleName());
            });
  }

  @ParameterizedTest
  @MethodSource("ofTheTopic")
  void blamesTheTopicForWhatItRefusesWhateverTheMessageIs(Exception exception, String reason) {
    assertThat(Refusal.of(exception).outcome(7))
        .isInstanceOfSatisfying(
            Confirmation.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(reason);
              assertThat(refused.copyPossible()).isFalse();
            });
  }

  @Test
  void whatFoundNoRoomWasNotSent() {
    assertThat(Refusal.of(new BufferExhaustedException("m")).outcome(7))
        .isInstanceOf(Confirmation.NotSent.class);
  }

  @ParameterizedTest
  @MethodSource("open")
  void callsUnknownWhatMayHaveBeenStored(Exception exception, String reason) {
    assertThat(Refusal.of(exception).outcome(7))
        .isInstanceOfSatisfying(
            Confirmation.Unknown.class, unknown -> assertThat(unknown.reason()).isEqualTo(reason));
  }
}
