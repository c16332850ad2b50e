package io.waybill.examples.services.wallet;

import io.waybill.examples.services.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.services.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.services.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.services.wallet.WalletEvent.WalletCreatedEvent;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.server.ResponseStatusException;

/** The four use cases: each changes wallets and tells of it in one transaction. */
@Service
class Wallets {
  private final WalletRepository wallets;
  private final EventProducer producer;

  Wallets(WalletRepository wallets, EventProducer producer) {
    this.wallets = wallets;
    this.producer = producer;
  }

  @Transactional
  public Wallet create(String owner) {
    Wallet wallet = wallets.save(new Wallet(owner));
    producer.produceWalletCreatedEvent(new WalletCreatedEvent(wallet.id(), owner));
    return wallet;
  }

  @Transactional
  public Wallet addFunds(String id, long cents) {
    Wallet wallet = lock(id);
    wallet.add(cents);
    producer.produceFundsAddedEvent(new FundsAddedEvent(id, cents));
    return wallet;
  }

  @Transactional
  public Wallet withdraw(String id, long cents) {
    Wallet wallet = lock(id);
    take(wallet, cents);
    producer.produceFundsWithdrawnEvent(new FundsWithdrawnEvent(id, cents));
    return wallet;
  }

  @Transactional
  public Wallet transfer(String id, String toId, long cents) {
    // In one order everywhere, so that two transfers never wait for each other.
    boolean first = id.compareTo(toId) < 0;
    Wallet one = lock(first ? id : toId);
    Wallet other = lock(first ? toId : id);
    Wallet from = first ? one : other;
    take(from, cents);
    (first ? other : one).add(cents);
    producer.produceFundsTransferredEvent(new FundsTransferredEvent(id, toId, cents));
    return from;
  }

  private Wallet lock(String id) {
    return wallets
        .lock(id)
        .orElseThrow(
            () -> new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no wallet " + id));
  }

  private static void take(Wallet wallet, long cents) {
    if (!wallet.take(cents)) {
      throw new ResponseStatusException(
          HttpStatus.CONFLICT,
          "wallet %s has %d cents, which is less than %d"
              .formatted(wallet.id(), wallet.cents(), cents));
    }
  }
}
