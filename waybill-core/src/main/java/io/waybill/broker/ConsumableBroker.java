package io.waybill.broker;

import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import java.util.List;

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
}
