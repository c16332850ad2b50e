package io.waybill.broker;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Receives messages from one broker. {@link #acknowledge}, {@link #release}, {@link #pause} and
 * {@link #resume} may be called from any thread, return immediately and never throw; the
 * subscriber's own thread carries them out. They ignore deliveries of a lane that has been revoked
 * since. A delivery is never acknowledged unless it was passed to {@link #acknowledge}.
 */
public interface Subscriber extends AutoCloseable {
  /**
   * Starts connecting and delivering. Returns immediately and reconnects by itself; an unreachable
   * broker is reported as {@link SubscriberListener#unavailable}.
   *
   * @param listener receives deliveries and revocations
   */
  void start(SubscriberListener listener);

  /**
   * Acknowledges deliveries, which need not be delivered again. They may be in any order: where a
   * broker has one position per lane, the subscriber commits only up to the first delivery that is
   * not acknowledged.
   *
   * @param deliveries deliveries of any lanes
   */
  void acknowledge(List<Delivery> deliveries);

  /**
   * Releases deliveries: they are delivered again, to the owner of their lane at that time. Later
   * deliveries of their lanes may be redelivered too. Nothing is dropped.
   *
   * @param deliveries deliveries of any lanes
   */
  void release(List<Delivery> deliveries);

  /**
   * Pauses deliveries of a lane. Deliveries already on their way still arrive. A subscriber whose
   * unacknowledged deliveries are bounded by the broker (prefetch) may ignore it.
   *
   * @param lane the lane; an unknown one is ignored
   */
  void pause(String lane);

  /**
   * Resumes deliveries of a lane that is paused.
   *
   * @param lane the lane; one that is unknown or not paused is ignored
   */
  void resume(String lane);

  /**
   * How far each lane is behind its end.
   *
   * @return messages not yet delivered by lane, as last known; empty if unknown
   */
  default Map<String, Long> lag() {
    return Map.of();
  }

  /**
   * Whether lanes can be read again from an earlier position, like Kafka partitions.
   *
   * @return true if {@link #reach} and {@link #rewind} are supported; false by default
   */
  default boolean canRewind() {
    return false;
  }

  /**
   * The progress of each assigned lane, if the subscriber {@link #canRewind}.
   *
   * @return progress by lane. A lane is left out until the broker knows where its assignment began,
   *     and once it leaves.
   */
  default Map<String, Reach> reach() {
    return Map.of();
  }

  /**
   * Reads lanes again from a position on, even if later messages are acknowledged. Their earlier
   * deliveries become invalid: the subscriber reports them as {@link SubscriberListener#revoked},
   * lost, and then delivers again. Like {@link #pause}, called from any thread. Lanes that are not
   * assigned are skipped.
   *
   * @param positions by lane, for lanes in the result of {@link #reach}
   */
  default void rewind(Map<String, Long> positions) {
    throw new UnsupportedOperationException("This subscriber can't read lanes again");
  }

  /**
   * Whether this subscriber is the only recipient of its deliveries, as on a queue: anything it
   * drops is lost.
   *
   * @return false if each consumer has a copy, as on a topic
   */
  default boolean isExclusive() {
    return false;
  }

  /**
   * How long the broker keeps messages, and so may deliver them again. Asks the broker, and blocks
   * for some seconds when it does not answer.
   *
   * @return longest time by topic or queue, the duration of {@link
   *     java.time.temporal.ChronoUnit#FOREVER} for one without end; empty if unknown
   * @throws java.io.UncheckedIOException if the broker did not answer
   */
  default Map<String, Duration> retention() {
    return Map.of();
  }

  /**
   * Stops receiving messages. After its return nothing is delivered any more; acknowledgements are
   * still sent. Idempotent.
   */
  void stop();

  /**
   * Sends the outstanding acknowledgements, as far as the broker accepts them within a few seconds,
   * and leaves. Everything else will be delivered again. Idempotent.
   */
  @Override
  void close();
}
