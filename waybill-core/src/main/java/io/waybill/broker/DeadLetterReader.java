package io.waybill.broker;

import java.util.List;
import java.util.Optional;

/**
 * The messages of one dead-letter topic or queue, for an operator. It ends with the last message
 * that was there when it was opened. Used by one thread. Every method throws {@link
 * DeadLetterAccessException} when the broker does not answer in time or refuses.
 */
public interface DeadLetterReader extends AutoCloseable {
  /**
   * Reads the next messages.
   *
   * @return the next messages; empty at the end. Messages of one key are in their stored order,
   *     which in a queue is not always the order of arrival
   */
  List<Delivery> next();

  /**
   * The reason why reading can lose messages, as far as known so far.
   *
   * @return the problem and its fix, in a sentence; empty if reading does no harm
   */
  Optional<String> hazard();

  /**
   * Whether messages stay where they are after they have been sent again.
   *
   * @return true for a log, false for a queue
   */
  boolean keeps();

  /**
   * Removes a message from a queue, after it has been sent again. Does nothing on a log.
   *
   * @param delivery as returned by {@link #next}
   */
  void remove(Delivery delivery);

  /** Returns messages that were read and not removed to their queue. */
  @Override
  void close();
}
