package io.waybill.examples.services.wallet;

import io.waybill.examples.services.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.services.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.services.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.services.wallet.WalletEvent.WalletCreatedEvent;

/** Tells of changes of wallets, each in the running transaction. */
interface EventProducer {
  void produceWalletCreatedEvent(WalletCreatedEvent event);

  void produceFundsAddedEvent(FundsAddedEvent event);

  void produceFundsWithdrawnEvent(FundsWithdrawnEvent event);

  void produceFundsTransferredEvent(FundsTransferredEvent event);
}
