package io.waybill.examples.wallet;

import io.waybill.examples.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.wallet.WalletEvent.WalletCreatedEvent;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Saves changes of wallets for Kafka, topic {@code <eventType>-out-0}. The scheduled method that
 * sent them is gone: {@link WalletRelay} does it. Thread-safe.
 */
final class KafkaEventProducer implements EventProducer {
  private final OutboxService outbox;
  private final EventJson json;

  KafkaEventProducer(OutboxService outbox, EventJson json) {
    this.outbox = outbox;
    this.json = json;
  }

  @Override
  public void produceWalletCreatedEvent(Connection connection, WalletCreatedEvent event)
      throws SQLException {
    saveEventToOutbox(connection, event);
  }

  @Override
  public void produceFundsAddedEvent(Connection connection, FundsAddedEvent event)
      throws SQLException {
    saveEventToOutbox(connection, event);
  }

  @Override
  public void produceFundsWithdrawnEvent(Connection connection, FundsWithdrawnEvent event)
      throws SQLException {
    saveEventToOutbox(connection, event);
  }

  @Override
  public void produceFundsTransferredEvent(Connection connection, FundsTransferredEvent event)
      throws SQLException {
    saveEventToOutbox(connection, event);
  }

  private void saveEventToOutbox(Connection connection, WalletEvent event) throws SQLException {
    outbox.saveOutboxEvent(
        connection, EventJson.type(event), json.of(event), event.correlationId());
  }
}
