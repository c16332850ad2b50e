package io.waybill.spring.internal.broker;

import io.waybill.broker.Broker;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import io.waybill.spring.properties.InboxProperties;
import io.waybill.spring.properties.InboxProperties.DeadLetters;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** A broker that an inbox consumes from. Nothing is connected before a subscriber is started. */
public interface ConsumedBroker {
  /** Where dead letters go: the same broker. */
  Broker broker();

  /**
   * Makes subscribers, which their inbox starts and closes; settings are checked at once.
   *
   * @param consumer who consumes
   */
  Supplier<Subscriber> subscribers(InboxProperties inbox, String consumer);

  /** Where dead letters of a topic or queue go; checked at once for all of the inbox. */
  Function<String, Destination> placesOfDeadLetters(InboxProperties inbox);

  /** Looks what is wrong with topics or queues that events come from. */
  List<Finding> sources(List<String> sources);

  /** Looks whether dead letters of these have a place, or makes one where it is told to. */
  List<Finding> deadLetters(List<String> sources, DeadLetters letters);
}
