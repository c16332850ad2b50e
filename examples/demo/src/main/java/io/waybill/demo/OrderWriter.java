package io.waybill.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** One thread of the order service with a connection of its own. */
final class OrderWriter implements Callable<Void> {
  private static final int ORDERS = 500;
  private static final int MOST_CHANGES = 4;
  private static final double ROLLED_BACK = 0.08;
  private static final double TO_SAVEPOINT = 0.05;
  private static final long NO_TICKET_PAUSE = 2_000_000;

  private final String url;
  private final Shop shop;
  private final Quota quota;
  private final SplittableRandom random;

  OrderWriter(String url, Shop shop, Quota quota, SplittableRandom random) {
    this.url = url;
    this.shop = shop;
    this.quota = quota;
    this.random = random;
  }

  @Override
  public Void call() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      while (!quota.over()) {
        int changes = quota.take(1 + random.nextInt(MOST_CHANGES));
        if (changes == 0) {
          LockSupport.parkNanos(NO_TICKET_PAUSE);
        } else {
          awaitTurn(changes);
          transactionOrStop(connection, changes);
        }
      }
    }
    return null;
  }

  private void awaitTurn(int changes) {
    long at = quota.reserve(changes, System.nanoTime());
    for (long wait = at - System.nanoTime(); wait > 0; wait = at - System.nanoTime()) {
      LockSupport.parkNanos(wait);
    }
  }

  private void transactionOrStop(Connection connection, int changes) throws SQLException {
    try {
      transaction(connection, changes);
    } catch (SQLException | RuntimeException e) {
      quota.release(changes);
      quota.stop();
      throw e;
    }
  }

  private void transaction(Connection connection, int changes) throws SQLException {
    // Rows are locked in one order everywhere, so that transactions wait but never deadlock.
    List<Integer> orders =
        random.ints(0, ORDERS).distinct().limit(changes).sorted().boxed().toList();
    shop.change(connection, orders, 1 + random.nextInt(10_000));
    if (random.nextDouble() < TO_SAVEPOINT) {
      changeOfMind(connection, orders.subList(0, 1));
    }
    if (random.nextDouble() < ROLLED_BACK) {
      connection.rollback();
      quota.rolledBack(changes);
      quota.release(changes);
    } else {
      connection.commit();
      quota.commit(changes);
    }
  }

  /** One more change that is taken back while the transaction goes on. */
  private void changeOfMind(Connection connection, List<Integer> orders) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    shop.change(connection, orders, 1);
    connection.rollback(savepoint);
    quota.rolledBack(orders.size());
  }
}
