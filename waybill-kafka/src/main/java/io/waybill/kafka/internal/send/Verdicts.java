package io.waybill.kafka.internal.send;

import io.waybill.kafka.internal.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** What is reported of the sends of a client that has failed. */
final class Verdicts {
  private final @Nullable InFlight cause;
  private final boolean closed;
  private final Set<Topic> refusedTogether = new HashSet<>();

  /**
   * Judges.
   *
   * @param cause the send whose failure ended the client
   * @param open the sends without outcome
   * @param closed whether the publisher ends
   */
  Verdicts(@Nullable InFlight cause, List<InFlight> open, boolean closed) {
    this.cause = cause;
    this.closed = closed;
    Set<Topic> seen = new HashSet<>();
    for (InFlight send : open) {
      if (send.failure instanceof InvalidRecordException && !seen.add(send.topic)) {
        refusedTogether.add(send.topic);
      }
    }
  }

  /** Notes what the failure says of its topic. */
  void suspectCause(long now) {
    InFlight failed = cause;
    if (failed != null) {
      failed.topic.suspect(now, of(failed).isDefinite());
      failed.topic.doubt();
      long leastBytes = failed.session.causeBytes();
      if (leastBytes >= 0) {
        failed.topic.refused(leastBytes, now);
      }
    }
  }

  Refusal of(InFlight send) {
    Exception failure = send.failure;
    // The bare class is what the client reports for sends that it drops because of others.
    if (failure != null && failure.getClass() != KafkaException.class) {
      Refusal refusal = Refusal.of(failure);
      // Of several records that a broker refuses together the client does not tell the reason,
      // which may be their times. Sent alone they are told apart.
      boolean isVague = failure instanceof InvalidRecordException;
      return isVague && refusedTogether.contains(send.topic) ? refusal.ofTopic() : refusal;
    }
    if (closed) {
      return Refusal.CLOSED;
    }
    Exception first = cause == null ? null : cause.failure;
    String why = first == null ? "its client did not answer in time" : Refusal.of(first).detail();
    return Refusal.unknown("given-up-with-others", "the Kafka client was replaced: " + why);
  }
}
