package io.waybill.spring;

import java.util.Collection;
import java.util.List;

/** Publishes domain events through the outbox, in the running transaction. Thread-safe. */
@FunctionalInterface
public interface DomainEventPublisher {
  /**
   * Publishes one event.
   *
   * @param domainEvent object of a class with {@link WaybillEvent}
   * @throws DomainEventException if it cannot be turned into an event
   * @throws org.springframework.transaction.IllegalTransactionStateException as for {@link
   *     SpringOutbox#append(io.waybill.message.Event)}
   */
  default void publish(Object domainEvent) {
    publishAll(List.of(domainEvent));
  }

  /**
   * Publishes events in their order, all or none of them.
   *
   * @param domainEvents objects of classes with {@link WaybillEvent}; none does nothing
   * @throws DomainEventException if one of them cannot be turned into an event; none is written
   * @throws org.springframework.transaction.IllegalTransactionStateException as for {@link
   *     SpringOutbox#append(io.waybill.message.Event)}
   */
  void publishAll(Collection<?> domainEvents);

  /**
   * A publisher that writes into an outbox.
   *
   * @param outbox where events go
   * @param events turns objects into events
   * @return the publisher
   */
  static DomainEventPublisher of(SpringOutbox outbox, DomainEvents events) {
    return domainEvents ->
        outbox.append(domainEvents.stream().map(each -> events.toEvent(each)).toList());
  }
}
