package io.waybill.examples.services.wallet;

import io.waybill.spring.DomainEventPublisher;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores domain events as rows, in the running transaction: the simple class name and the JSON. A
 * failed serialisation is logged, counted and thrown. It takes the place of the starter's
 * publisher.
 */
@Component
class OutboxEventPublisher implements DomainEventPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxEventPublisher.class);

  private final OutboxService outbox;
  private final JsonMapper json;
  private final OutboxMeters meters;

  OutboxEventPublisher(OutboxService outbox, JsonMapper json, OutboxMeters meters) {
    this.outbox = outbox;
    this.json = json;
    this.meters = meters;
  }

  @Override
  @Transactional(propagation = Propagation.MANDATORY)
  public void publishAll(Collection<?> domainEvents) {
    domainEvents.forEach(this::store);
  }

  private void store(Object event) {
    String type = event.getClass().getSimpleName();
    outbox.saveOutboxEvent(
        type, json(type, event), event instanceof WalletEvent change ? change.walletId() : null);
  }

  private String json(String type, Object event) {
    try {
      return json.writeValueAsString(event);
    } catch (JacksonException e) {
      meters.notSerialized(type);
      LOG.error(
          "Event {} cannot be written as JSON ({}); its transaction is rolled back",
          type,
          e.getClass().getSimpleName());
      throw new EventSerializationException(type, e);
    }
  }
}
