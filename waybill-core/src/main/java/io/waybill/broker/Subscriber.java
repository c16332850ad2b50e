package io.waybill.broker;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Takes messages from one broker.
 *
 * <p>{@link #acknowledge}, {@link #release} and {@link #hold} may be called from any thread,
 * return at once and never throw: what they ask for is done by the subscriber's own thread.
 * Deliveries of a lane that has been revoked since are ignored by them. Nothing is acknowledged
 * that was not passed to {@link #acknowledge}, whatever happens.
 */
public interface Subscriber extends AutoCloseable {
  /**
   * Starts connecting and begins to deliver. Returns at once; connects again by itself, an
   * unreachable broker is reported as {@link SubscriberListener#unavailable}.
   *
   * @param listener told of deliveries and revocations
   */
  void start(SubscriberListener listener);

  /**
   * These are done with and need not come again. In any order: where a broker knows one position
   * per lane, the subscriber commits only up to the first delivery that is not acknowledged.
   *
   * @param deliveries deliveries of any lanes
   */
  void acknowledge(List<Delivery> deliveries);

  /**
   * These are to be delivered again, to whoever has their lane then. Later deliveries of their
   * lanes may come again too. Nothing is dropped.
   *
   * @param deliveries deliveries of any lanes
   */
  void release(List<Delivery> deliveries);

  /**
   * Stops or goes on with deliveries of a lane. What is on its way still arrives. A subscriber
   * whose unacknowledged deliveries are bounded by the broker (prefetch) may ignore it.
   *
   * @param lane the lane
   * @param held true to stop
   */
  void hold(String lane, boolean held);

  /**
   * How far each lane is behind its end.
   *
   * @return messages not yet delivered by lane, as last known; empty where nobody knows
   */
  default Map<String, Long> lag() {
    return Map.of();
  }

  /**
   * Whether lanes can be read again from an earlier position, as partitions of Kafka.
   *
   * @return true if {@link #reach} and {@link #rewind} are there; by default not
   */
  default boolean canRewind() {
    return false;
  }

  /**
   * How far each assigned lane is, where it {@link #canRewind}.
   *
   * @return by lane. A lane is left out until the broker knows where its assignment began, and from
   *     when it leaves.
   */
  default Map<String, Reach> reach() {
    return Map.of();
  }

  /**
   * Reads lanes again from a position on, though later messages are acknowledged. What was
   * delivered of them is nobody's any more: it is told as {@link SubscriberListener#revoked}, lost,
   * and then comes again. Like {@link #hold}, called from any thread. Lanes that are not assigned
   * are passed over.
   *
   * @param positions by lane, of those that {@link #reach} has named
   */
  default void rewind(Map<String, Long> positions) {
    throw new UnsupportedOperationException("Nothing of this can be read again");
  }

  /**
   * Whether nobody else gets a copy of what is delivered here, as of a queue: what this consumer
   * drops is gone.
   *
   * @return false where each consumer has its copy, as of a topic
   */
  default boolean isOnlyOne() {
    return false;
  }

  /**
   * How long the broker keeps messages, and so may deliver them again. Asks the broker, and blocks
   * for some seconds when it does not answer.
   *
   * @return longest time by topic or queue, that of {@link java.time.temporal.ChronoUnit#FOREVER}
   *     for one without end; empty where nobody says
   * @throws java.io.UncheckedIOException if the broker did not answer
   */
  default Map<String, Duration> retention() {
    return Map.of();
  }

  /**
   * Stops taking messages. After its return nothing is delivered any more; acknowledgements still
   * go out. Idempotent.
   */
  void stop();

  /**
   * Sends out what was acknowledged, as far as the broker takes it within a few seconds, and
   * leaves: everything else will be delivered again. Idempotent.
   */
  @Override
  void close();
}
