package io.waybill.server.command;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A producer as its document describes it: one thread that looks for waiting rows, publishes and
 * marks each of them, commits when the broker has all of them, and sleeps. Not thread-safe.
 */
abstract class HomeMadeProducer {
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "home-made");
  private final Duration pause;
  private final List<Future<?>> sent = new ArrayList<>();
  private volatile @Nullable Exception failure;
  final Connection connection;

  /**
   * Starts with {@link #start}.
   *
   * @param connection of its own
   * @param pause between two looks
   */
  HomeMadeProducer(Connection connection, Duration pause) {
    this.connection = connection;
    this.pause = pause;
  }

  /** A waiting row, as its texts. */
  interface Publish {
    void row(List<String> texts) throws Exception;
  }

  /** Looks once for waiting rows, and publishes them. */
  abstract void look() throws Exception;

  void start() {
    thread.start();
  }

  private void run() {
    try {
      connection.setAutoCommit(false);
      do {
        look();
        for (Future<?> each : sent) {
          each.get();
        }
        sent.clear();
        connection.commit();
      } while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (Exception e) {
      failure = e;
    }
  }

  /** All rows of a query are read before the first is published. */
  void each(String query, Publish publish) throws Exception {
    List<List<String>> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> texts = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          texts.add(result.getString(column));
        }
        rows.add(texts);
      }
    }
    for (List<String> row : rows) {
      publish.row(row);
    }
  }

  /** The rows of a look are not committed as published before the broker has it. */
  void sent(Future<?> confirmation) {
    sent.add(confirmation);
  }

  void change(String sql, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, id);
      statement.executeUpdate();
    }
  }

  /** Ends after the rows of the present look, as a process does that is stopped in order. */
  void stop() throws InterruptedException, SQLException {
    stopping.countDown();
    thread.join();
    connection.close();
    Exception failed = failure;
    if (failed != null) {
      throw new IllegalStateException("the home-made producer failed", failed);
    }
  }
}
