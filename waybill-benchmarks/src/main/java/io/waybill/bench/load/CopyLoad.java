package io.waybill.bench.load;

import io.waybill.message.EventIds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Writes millions of events into Waybill's own table by COPY, over two connections that share the
 * keys out, so that the rows of a key are in order.
 */
final class CopyLoad {
  private static final int CONNECTIONS = 2;
  private static final int ROWS_PER_TRANSACTION = 20_000;
  // Visibility is noted while the pages are in memory and not imaged in the log.
  private static final int TRANSACTIONS_PER_VACUUM = 10;
  private static final int BUFFER = 256 * 1024;
  private static final byte[] HEADER = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final short COLUMNS = 5;
  private static final String COPY =
      """
      copy waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      from stdin with (format binary)
      """;

  private final String url;
  private final long events;
  private final int keys;
  private final List<byte[]> templates = Payloads.templates();

  CopyLoad(String url, long events, int keys) {
    this.url = url;
    this.events = events;
    this.keys = keys;
  }

  void run() throws SQLException {
    ExecutorService pool = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int number = 0; number < CONNECTIONS; number++) {
        int share = number;
        Callable<Void> load = () -> load(share);
        all.add(pool.submit(load));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new SQLException("The backlog could not be loaded", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private Void load(int share) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("set synchronous_commit = off");
      Rows rows = new Rows(share);
      for (int count = 1; rows.more(); count++) {
        copy(connection, rows);
        if (share == 0 && count % TRANSACTIONS_PER_VACUUM == 0) {
          statement.execute("vacuum waybill_outbox");
        }
      }
    }
    return null;
  }

  private void copy(Connection connection, Rows rows) throws SQLException, IOException {
    CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * BUFFER);
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(HEADER);
    for (int row = 0; row < ROWS_PER_TRANSACTION && rows.more(); row++) {
      rows.write(out);
      if (bytes.size() >= BUFFER) {
        send(copy, bytes);
      }
    }
    out.writeShort(-1);
    send(copy, bytes);
    copy.endCopy();
  }

  private static void send(CopyIn copy, ByteArrayOutputStream bytes) throws SQLException {
    copy.writeToCopy(bytes.toByteArray(), 0, bytes.size());
    bytes.reset();
  }

  /** The events of some keys, in their order. */
  private final class Rows {
    private final int share;
    private long next;

    Rows(int share) {
      this.share = share;
      this.next = -1;
      advance();
    }

    private void advance() {
      do {
        next++;
      } while (next < events && next % keys % CONNECTIONS != share);
    }

    boolean more() {
      return next < events;
    }

    void write(DataOutputStream out) throws IOException {
      int key = (int) (next % keys);
      byte[] body = templates.get((int) (next % templates.size())).clone();
      Ref.put(body, Ref.of(key, next / keys));
      out.writeShort(COLUMNS);
      text(out, EventIds.system().next());
      text(out, "order.placed");
      text(out, "order");
      text(out, Integer.toString(key));
      field(out, body);
      advance();
    }

    private void text(DataOutputStream out, String value) throws IOException {
      field(out, value.getBytes(StandardCharsets.US_ASCII));
    }

    private void field(DataOutputStream out, byte[] value) throws IOException {
      out.writeInt(value.length);
      out.write(value);
    }
  }
}
