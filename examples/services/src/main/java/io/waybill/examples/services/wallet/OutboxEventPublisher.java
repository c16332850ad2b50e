package io.waybill.examples.services.wallet;

import io.waybill.spring.DomainEventPublisher;
import java.util.Collection;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores domain events as rows: the simple class name and the JSON. It takes the place of the
 * starter's publisher.
 */
@Component
class OutboxEventPublisher implements DomainEventPublisher {
  private final OutboxService outbox;
  private final JsonMapper json;

  OutboxEventPublisher(OutboxService outbox, JsonMapper json) {
    this.outbox = outbox;
    this.json = json;
  }

  @Override
  public void publishAll(Collection<?> domainEvents) {
    domainEvents.forEach(
        event ->
            outbox.saveOutboxEvent(
                event.getClass().getSimpleName(),
                json.writeValueAsString(event),
                event instanceof WalletEvent change ? change.walletId() : null));
  }
}
