package io.waybill.bench.refusal;

import io.waybill.bench.child.Pace;
import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Pause;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Writes events of one type at a steady rate on a thread of its own, each with a key of its own,
 * until it is closed.
 */
final class SteadyWriter implements AutoCloseable {
  private final String type;
  private final int firstKey;
  private final int keyStep;
  private final long interval;
  private final Connection connection;
  private final Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
  private final List<byte[]> templates = Payloads.templates();
  private final Thread thread;
  private volatile long count;
  private volatile boolean paused;
  private volatile boolean closed;
  private volatile boolean failed;

  /**
   * Starts to write.
   *
   * @param url database
   * @param type of the events
   * @param firstKey number of the first key
   * @param keyStep how far the number of the next one is from it
   * @param rate events per second
   */
  SteadyWriter(String url, String type, int firstKey, int keyStep, int rate) throws SQLException {
    this.type = type;
    this.firstKey = firstKey;
    this.keyStep = keyStep;
    this.interval = Duration.ofSeconds(1).toNanos() / rate;
    this.connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    this.thread = new Thread(this::write, "writer-" + type);
    thread.setDaemon(true);
    thread.start();
  }

  private void write() {
    try {
      Pace pace = new Pace(System.nanoTime(), interval);
      while (!closed) {
        pace.awaitNext();
        if (paused) {
          pace = new Pace(System.nanoTime(), interval);
        } else {
          append();
        }
      }
    } catch (SQLException e) {
      failed = true;
      throw new IllegalStateException("An event could not be written", e);
    }
  }

  private synchronized void append() throws SQLException {
    if (paused) {
      return;
    }
    int key = firstKey + keyStep * (int) count;
    byte[] body = templates.get(key % templates.size()).clone();
    Ref.put(body, Ref.of(key, 0));
    Payload payload = Payload.of(body, Payload.JSON);
    outbox.append(
        connection, Event.builder(type, "order", Integer.toString(key)).payload(payload).build());
    connection.commit();
    count = count + 1;
  }

  /** Returns how many were written; no more are until {@link #resume}. */
  synchronized long pause() {
    paused = true;
    return count;
  }

  void resume() {
    paused = false;
  }

  /** How many are committed. */
  long count() {
    if (failed) {
      throw new IllegalStateException("An event could not be written");
    }
    return count;
  }

  @Override
  public void close() throws SQLException {
    closed = true;
    Pause.untilEnd(thread);
    connection.close();
  }
}
