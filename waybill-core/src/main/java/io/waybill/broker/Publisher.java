package io.waybill.broker;

import java.time.Duration;

/**
 * Sends messages to one broker.
 *
 * <p>{@link #send} is called by one thread at a time and never blocks: blocking work (looking up a
 * topic, opening a connection, a socket write) runs on threads of the publisher. Outcomes arrive on
 * any thread, exactly once for each send and within {@link #deliveryTimeout()} plus a second.
 *
 * <p><b>Order.</b> Sends of one key to one destination reach the broker in the order of the calls.
 * A publisher whose {@link #maxInFlightPerKey()} is above 1 promises more. Suppose that it reports
 * a send as rejected or unknown after it has accepted later sends of the same key and destination.
 * It then hands none of these to the broker after the report, and none of them is stored without
 * being reported as confirmed. With that, the confirmed sends of a key are a prefix in the order of
 * the sends.
 *
 * <p>A caller may send more of a key before it has seen such a report. Therefore, until the first
 * {@link #flush} that starts after the report, such a publisher hands no further sends of that key
 * and destination to the broker. It reports them as unknown. The caller flushes after each burst,
 * then takes all reports that have come, and sends again only after it has acted on them.
 */
public interface Publisher extends AutoCloseable {
  /** The most that a publisher's {@link #deliveryTimeout()} adds to the timeout of its client. */
  Duration CLIENT_MARGIN = Duration.ofSeconds(2);

  /**
   * Starts connecting and reporting to the listener. Returns immediately. A broker that accepts
   * messages is reported as {@link PublisherListener#available}: a relay waits five seconds for
   * that before it takes lanes. An unreachable one is reported as {@link
   * PublisherListener#unavailable}.
   *
   * @param listener receives the outcome of each send
   */
  void start(PublisherListener listener);

  /**
   * Accepts a message. Never throws for a bad message: it is reported as rejected.
   *
   * @param message the message
   */
  void send(Outgoing message);

  /**
   * Ends a burst of sends: hands over messages that a client library may still be collecting, and
   * unblocks keys with a failed send. Does not block.
   */
  default void flush() {}

  /**
   * How many sends of one key may be unconfirmed at the same time without risking their order.
   *
   * @return 1 where the broker can refuse a message and store its successor
   */
  int maxInFlightPerKey();

  /**
   * The longest time between a send and its outcome.
   *
   * @return the bound that the lease must exceed
   */
  Duration deliveryTimeout();

  /** Describes the broker, for people; without secrets. */
  @Override
  String toString();

  /** Stops immediately. Sends without an outcome are reported as unknown. Idempotent. */
  @Override
  void close();
}
