package io.waybill.examples.wallet;

import io.waybill.examples.wallet.WalletService.RefusedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** People use their wallets; about one operation in ten is rolled back. */
final class Traffic {
  private static final int WALLETS = 20;
  private static final int FEE_EVERY = 50;
  private static final int MOST_CENTS = 1_000;
  private static final String NOBODY = "no-such-wallet";

  private final WalletService service;
  private final List<String> wallets = new ArrayList<>();
  // The same operations in every run.
  private final SplittableRandom random = new SplittableRandom(42);

  Traffic(WalletService service) {
    this.service = service;
  }

  /** Tries so many operations, unless asked to stop; returns how many were rolled back. */
  int run(int operations, BooleanSupplier stop) throws SQLException {
    int refused = 0;
    for (int i = 0; i < operations && !stop.getAsBoolean(); i++) {
      try {
        operate(i);
      } catch (RefusedException e) {
        refused++;
      }
    }
    return refused;
  }

  private void operate(int number) throws SQLException {
    if (wallets.size() < WALLETS) {
      wallets.add(service.create("owner " + wallets.size()));
    } else if (number % FEE_EVERY == 0) {
      service.changeFee(random.nextInt(MOST_CENTS));
    } else {
      move(random.nextInt(10));
    }
  }

  private void move(int dice) throws SQLException {
    String wallet = wallets.get(random.nextInt(WALLETS));
    long cents = random.nextLong(1, MOST_CENTS);
    if (dice < 6) {
      service.addFunds(wallet, cents);
    } else if (dice < 8) {
      service.withdraw(wallet, cents);
    } else {
      service.transfer(wallet, dice == 8 ? NOBODY : wallets.get(random.nextInt(WALLETS)), cents);
    }
  }
}
