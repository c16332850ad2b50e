package io.waybill.spring.autoconfigure;

import io.waybill.broker.Subscriber;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.Interceptor;
import io.waybill.handler.Registration;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.InboxBuilder;
import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import io.waybill.observe.InboxListener;
import io.waybill.spring.internal.broker.ConsumedBroker;
import io.waybill.spring.properties.InboxProperties;
import io.waybill.spring.properties.InboxProperties.DeadLetters;
import io.waybill.store.InboxStore;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What an inbox is made of; it may be made again after a stop.
 *
 * @param rules bounds, retries and policies
 * @param properties the properties
 * @param store makes the tables' side
 * @param from the broker
 * @param handlers known when the application has started
 * @param around what stands around the handlers
 */
record ConsumingParts(
    InboxRules rules,
    InboxProperties properties,
    Supplier<InboxStore> store,
    From from,
    Supplier<List<Registration>> handlers,
    Around around) {

  /**
   * Where events come from.
   *
   * @param consumer who consumes
   * @param broker where dead letters go
   * @param subscriber makes the subscriber
   * @param letters where dead letters of a topic or queue go
   */
  record From(
      String consumer,
      ConsumedBroker broker,
      Supplier<Subscriber> subscriber,
      Function<String, Destination> letters) {
    static From of(ConsumedBroker broker, InboxProperties inbox, String consumer) {
      return new From(
          consumer, broker, broker.subscribers(inbox, consumer), broker.placesOfDeadLetters(inbox));
    }
  }

  /**
   * What stands around the handlers.
   *
   * @param interceptor around every call
   * @param errors judges failures
   * @param listener who is told
   */
  record Around(Interceptor interceptor, ErrorClassifier errors, InboxListener listener) {}

  /** The same with the broker's settings read anew. */
  ConsumingParts with(From other) {
    return new ConsumingParts(rules, properties, store, other, handlers, around);
  }

  String consumer() {
    return from.consumer();
  }

  /** What is wrong with the sources and with the places of dead letters. */
  List<Finding> findings() {
    return Stream.concat(
            from.broker().sources(properties.sources()).stream(), deadLetters().stream())
        .distinct()
        .toList();
  }

  /** Looks for the places of dead letters, and makes those that are missing if it is told to. */
  List<Finding> deadLetters() {
    DeadLetters letters = properties.deadLetters();
    return from.broker().deadLetters(properties.sources(), letters);
  }

  private InboxListener listener() {
    return properties.deadLetters().create()
        ? InboxListener.all(
            List.of(around.listener(), new DeadLetterPlaces(consumer(), this::deadLetters)))
        : around.listener();
  }

  Inbox start() {
    InboxBuilder builder =
        rules
            .apply(Inbox.builder())
            .name(consumer())
            .store(store.get())
            .subscriber(from.subscriber().get())
            .deadLetters(from.broker().broker().publisher(), from.letters())
            .interceptor(around.interceptor())
            .errors(around.errors())
            .listener(listener());
    handlers
        .get()
        .forEach(
            each ->
                builder.batchHandler(each.type(), each.version(), each.batch(), each.handler()));
    return builder.start();
  }
}
