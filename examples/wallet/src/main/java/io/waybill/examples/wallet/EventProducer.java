package io.waybill.examples.wallet;

import io.waybill.examples.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.wallet.WalletEvent.WalletCreatedEvent;
import java.sql.Connection;
import java.sql.SQLException;

/** Tells of changes of wallets, each in the caller's transaction. */
interface EventProducer {
  void produceWalletCreatedEvent(Connection connection, WalletCreatedEvent event)
      throws SQLException;

  void produceFundsAddedEvent(Connection connection, FundsAddedEvent event) throws SQLException;

  void produceFundsWithdrawnEvent(Connection connection, FundsWithdrawnEvent event)
      throws SQLException;

  void produceFundsTransferredEvent(Connection connection, FundsTransferredEvent event)
      throws SQLException;
}
