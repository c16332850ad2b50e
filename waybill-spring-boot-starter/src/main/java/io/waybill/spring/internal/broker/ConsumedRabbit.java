package io.waybill.spring.internal.broker;

import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitChecks;
import io.waybill.rabbitmq.RabbitDeadLetters;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.InboxProperties;
import io.waybill.spring.properties.InboxProperties.DeadLetters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** RabbitMQ, as an inbox consumes from it. */
record ConsumedRabbit(RabbitBroker broker) implements ConsumedBroker {
  @Override
  public Supplier<Subscriber> subscribers(InboxProperties inbox, String consumer) {
    try {
      RabbitSubscriberConfig subscription =
          RabbitSubscriberConfig.builder(broker.config(), inbox.sources())
              .prefetch(inbox.rabbitmq().prefetch())
              .build();
      return () -> new RabbitSubscriber(subscription);
    } catch (IllegalArgumentException e) {
      throw Problems.failure(List.of(e.getMessage() + " (from waybill.inbox)"), e);
    }
  }

  @Override
  public Function<String, Destination> placesOfDeadLetters(InboxProperties inbox) {
    RabbitDeadLetters through = through(inbox.sources(), inbox.deadLetters());
    return through == null
        ? queue -> Destination.exchange("", RabbitDeadLetters.queueOf(queue))
        : through::of;
  }

  /** What they go through, or null for the default exchange. */
  private static @Nullable RabbitDeadLetters through(List<String> sources, DeadLetters letters) {
    try {
      if (letters.exchange().isEmpty()) {
        RabbitDeadLetters.checkQueues(sources);
        return null;
      }
      RabbitDeadLetters through = new RabbitDeadLetters(letters.exchange(), letters.routingKey());
      through.check(sources);
      return through;
    } catch (IllegalArgumentException e) {
      throw Problems.failure(List.of(e.getMessage() + " (from waybill.inbox.dead-letters)"), e);
    }
  }

  @Override
  public List<Finding> sources(List<String> sources) {
    return new RabbitChecks(broker.config(), RabbitTopology.builder().build(), broker.management())
        .checkConsumed(sources);
  }

  @Override
  public List<Finding> deadLetters(List<String> sources, DeadLetters letters) {
    List<String> queues = sources.stream().map(RabbitDeadLetters::queueOf).toList();
    RabbitDeadLetters through = through(sources, letters);
    RabbitTopology.Builder alone = RabbitTopology.builder();
    queues.forEach(alone::queue);
    RabbitTopology topology = through == null ? alone.build() : through.topology(sources);
    RabbitChecks checks = new RabbitChecks(broker.config(), topology, broker.management());
    List<Finding> found = new ArrayList<>();
    if (letters.create()) {
      found.addAll(checks.declare());
      // With access to the management API a look tells more of queues that were there before.
      if (broker.management() == null || !found.isEmpty()) {
        return found;
      }
    }
    found.addAll(checks.checkConsumed(queues));
    // The order of letters means nothing to whoever looks at them.
    found.removeIf(finding -> finding.check() == Check.RABBITMQ_CONSUMERS_COMPETE);
    if (through != null) {
      found.addAll(checks.check(sources.stream().map(through::of).toList()));
    }
    return found.stream().distinct().toList();
  }
}
