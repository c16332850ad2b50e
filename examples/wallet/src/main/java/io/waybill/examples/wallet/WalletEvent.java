package io.waybill.examples.wallet;

/** A change of a wallet. Those of one wallet are published in order. */
sealed interface WalletEvent extends DomainEvent {
  /** The business row that it tells of. */
  String operationId();

  /** The wallet that changed. */
  String walletId();

  /** Number of the change within its wallet, from 1. */
  long revision();

  @Override
  default String correlationId() {
    return walletId();
  }

  /** A wallet was opened. */
  record WalletCreatedEvent(String operationId, String walletId, long revision, String owner)
      implements WalletEvent {}

  /** Money came in. */
  record FundsAddedEvent(String operationId, String walletId, long revision, long cents)
      implements WalletEvent {}

  /** Money went out. */
  record FundsWithdrawnEvent(String operationId, String walletId, long revision, long cents)
      implements WalletEvent {}

  /** Money went to another wallet. */
  record FundsTransferredEvent(
      String operationId, String walletId, long revision, String toWalletId, long cents)
      implements WalletEvent {}
}
