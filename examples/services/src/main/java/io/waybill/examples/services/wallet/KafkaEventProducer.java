package io.waybill.examples.services.wallet;

import io.waybill.examples.services.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.services.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.services.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.services.wallet.WalletEvent.WalletCreatedEvent;
import io.waybill.spring.DomainEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Saves changes of wallets for Kafka. The scheduled method that gave them to {@code StreamBridge}
 * is gone: the relay does that.
 */
@Component
class KafkaEventProducer implements EventProducer {
  private final DomainEventPublisher publisher;

  KafkaEventProducer(DomainEventPublisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public void produceWalletCreatedEvent(WalletCreatedEvent event) {
    publisher.publish(event);
  }

  @Override
  public void produceFundsAddedEvent(FundsAddedEvent event) {
    publisher.publish(event);
  }

  @Override
  public void produceFundsWithdrawnEvent(FundsWithdrawnEvent event) {
    publisher.publish(event);
  }

  @Override
  public void produceFundsTransferredEvent(FundsTransferredEvent event) {
    publisher.publish(event);
  }
}
