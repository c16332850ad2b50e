package io.waybill.broker;

import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A broker that an inbox consumes from, too. Nothing is connected before a subscriber starts. */
public interface ConsumableBroker extends Broker {
  /**
   * Creates a subscriber, which its inbox starts and closes.
   *
   * @param consumer name that all processes of the consumer share; on Kafka the group
   * @param sources topics or queues
   * @return a subscriber, not started
   * @throws IllegalArgumentException if a name is wrong
   */
  Subscriber subscriber(String consumer, List<String> sources);

  /**
   * The destination of dead letters of a topic or queue.
   *
   * @param source topic or queue
   * @return destination on this broker
   */
  Destination deadLetters(String source);

  /**
   * Checks topics or queues and the places of their dead letters, without changing anything.
   *
   * @param sources topics or queues
   * @return findings, none if all is well
   */
  List<Finding> checkSources(List<String> sources);

  /**
   * Opens dead letters for an operator.
   *
   * @param name topic or queue of dead letters
   * @param after the place of the last dead letter that is not to be read, as {@code
   *     orders.dlt-0@15}; null for all. A queue is always read from its head
   * @return reader, to be closed
   * @throws DeadLetterAccessException if the broker does not answer or has none
   * @throws IllegalArgumentException if that is no such place
   */
  DeadLetterReader deadLetterReader(String name, @Nullable String after);

  /**
   * Opens a part of the dead letters for an operator.
   *
   * @param name topic or queue of dead letters
   * @param positions where to begin, by partition, as {@link #depths} names them; others are not
   *     read. A queue is always read from its head
   * @return reader, to be closed
   * @throws DeadLetterAccessException if the broker does not answer or has none
   */
  default DeadLetterReader deadLettersFrom(String name, Map<String, Long> positions) {
    return deadLetterReader(name, null);
  }

  /**
   * Asks how much lies in topics or queues, and reads nothing. Takes some seconds if the broker
   * does not answer.
   *
   * @param names topics or queues
   * @return by partition, as {@code orders-0}, or queue; without those that the broker does not
   *     have or does not show
   * @throws DeadLetterAccessException if the broker does not answer
   */
  Map<String, Depth> depths(Collection<String> names);

  /**
   * The messages of a partition or queue.
   *
   * @param first position of its first message; 0 of a queue
   * @param end position after its last message; of a queue the number of messages that are ready
   */
  record Depth(long first, long end) {
    /**
     * The number of messages.
     *
     * @return their number; of a partition an upper bound, since compaction and transactions leave
     *     gaps
     */
    public long messages() {
      return Math.max(0, end - first);
    }
  }
}
