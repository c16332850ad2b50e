package io.waybill.examples.services.wallet;

/** A change of a wallet. Those of one wallet are published in order. */
public sealed interface WalletEvent {
  /**
   * The wallet that changed.
   *
   * @return its id
   */
  String walletId();

  /**
   * A wallet was opened.
   *
   * @param walletId the wallet
   * @param owner whose it is
   */
  record WalletCreatedEvent(String walletId, String owner) implements WalletEvent {}

  /**
   * Money came in.
   *
   * @param walletId the wallet
   * @param cents how much
   */
  record FundsAddedEvent(String walletId, long cents) implements WalletEvent {}

  /**
   * Money went out.
   *
   * @param walletId the wallet
   * @param cents how much
   */
  record FundsWithdrawnEvent(String walletId, long cents) implements WalletEvent {}

  /**
   * Money went to another wallet.
   *
   * @param walletId where from
   * @param toWalletId where to
   * @param cents how much
   */
  record FundsTransferredEvent(String walletId, String toWalletId, long cents)
      implements WalletEvent {}
}
