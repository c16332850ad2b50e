package io.waybill.examples.services.wallet;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/wallets")
class WalletController {
  private static final int LONGEST_OWNER = 200;

  private final Wallets wallets;

  WalletController(Wallets wallets) {
    this.wallets = wallets;
  }

  record NewWallet(@Nullable String owner) {}

  record Amount(long cents) {}

  record Transfer(@Nullable String to, long cents) {}

  record Balance(String id, String owner, long cents) {
    static Balance of(Wallet wallet) {
      return new Balance(wallet.id(), wallet.owner(), wallet.cents());
    }
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  Balance create(@RequestBody NewWallet wallet) {
    String owner = given("owner", wallet.owner());
    if (owner.length() > LONGEST_OWNER) {
      throw refused(
          "owner must have at most " + LONGEST_OWNER + " characters, but has " + owner.length());
    }
    return Balance.of(wallets.create(owner));
  }

  @PostMapping("/{id}/funds")
  Balance addFunds(@PathVariable("id") String id, @RequestBody Amount amount) {
    return Balance.of(wallets.addFunds(id, positive(amount.cents())));
  }

  @PostMapping("/{id}/withdrawals")
  Balance withdraw(@PathVariable("id") String id, @RequestBody Amount amount) {
    return Balance.of(wallets.withdraw(id, positive(amount.cents())));
  }

  @PostMapping("/{id}/transfers")
  Balance transfer(@PathVariable("id") String id, @RequestBody Transfer transfer) {
    String to = given("to", transfer.to());
    if (to.equals(id)) {
      throw refused("to must be another wallet, but is '" + to + "'");
    }
    return Balance.of(wallets.transfer(id, to, positive(transfer.cents())));
  }

  private static String given(String name, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw refused(name + " must be given, but is " + (value == null ? "missing" : "blank"));
    }
    return value;
  }

  private static long positive(long cents) {
    if (cents < 1) {
      throw refused("cents must be at least 1, but are " + cents);
    }
    return cents;
  }

  private static ResponseStatusException refused(String reason) {
    return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
  }
}
