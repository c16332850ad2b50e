package io.waybill.spring.internal.broker;

import io.waybill.broker.Subscriber;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaDeadLetters;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.InboxProperties;
import io.waybill.spring.properties.InboxProperties.DeadLetters;
import io.waybill.spring.properties.KafkaProperties;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Kafka, as an inbox consumes from it. */
record ConsumedKafka(KafkaBroker broker, KafkaProperties own, BrokerContext context)
    implements ConsumedBroker {
  @Override
  public Supplier<Subscriber> subscribers(InboxProperties inbox, String consumer) {
    KafkaSubscriberConfig subscription = KafkaSource.subscriber(own, context, inbox, consumer);
    return () -> new KafkaSubscriber(subscription);
  }

  @Override
  public Function<String, Destination> placesOfDeadLetters(InboxProperties inbox) {
    if (!inbox.deadLetters().exchange().isEmpty()) {
      throw Problems.failure(
          List.of(
              "waybill.inbox.dead-letters.exchange is for RabbitMQ, on Kafka dead letters go to"
                  + " TOPIC.dlt"),
          null);
    }
    return topic -> Destination.topic(DeadLetter.nameOf(topic));
  }

  /** The subscriber tells of topics that are missing, the inbox of what they keep too long. */
  @Override
  public List<Finding> sources(List<String> sources) {
    return List.of();
  }

  @Override
  public List<Finding> deadLetters(List<String> sources, DeadLetters letters) {
    KafkaDeadLetters topics = new KafkaDeadLetters(broker.config());
    try {
      return letters.create()
          ? topics.create(sources, letters.replicationFactor())
          : topics.check(sources);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
