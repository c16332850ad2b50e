package io.waybill.broker;

import java.util.List;
import java.util.Optional;

/**
 * The messages of one dead-letter topic or queue, for an operator. It ends with what was there when
 * it was opened. Used by one thread. Every method throws {@link DeadLetterAccessException} when the
 * broker does not answer in time or refuses.
 */
public interface DeadLetterReader extends AutoCloseable {
  /**
   * Reads on.
   *
   * @return the next messages, those of one key in the order in which they lie there, which in a
   *     queue is not always the one in which they came; empty at the end
   */
  List<Delivery> next();

  /**
   * Why reading can lose messages, as far as that is known by now.
   *
   * @return what is wrong and what mends it, in a sentence; empty if reading does no harm
   */
  Optional<String> hazard();

  /**
   * Whether messages stay where they are when they have been sent again.
   *
   * @return true for a log, false for a queue
   */
  boolean keeps();

  /**
   * Removes a message from a queue: it is where it belongs. Does nothing on a log.
   *
   * @param delivery as returned by {@link #next}
   */
  void remove(Delivery delivery);

  /** Gives back to a queue what was read and not removed. */
  @Override
  void close();
}
