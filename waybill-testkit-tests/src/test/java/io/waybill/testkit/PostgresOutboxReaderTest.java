package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.jdbc.OnPublished;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresOutboxReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Test
  void aRowThatNeverBecomesDueHoldsUpNobody() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      FIXTURE.insert(connection, WrittenEvent.of("never", "1"));
      statement.execute("update waybill_outbox set available_at = 'infinity'");
      FIXTURE.insert(connection, WrittenEvent.of("soon", "1").delay(Duration.ofSeconds(1)));
      connection.commit();
    }
    List<OutboxRow> rows = new ArrayList<>();
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> rows.addAll(reader.read(ROWS, BYTES).rows()));
    assertThat(ids(rows)).containsExactly("soon");

    for (int i = 0; i < 20; i++) {
      assertThat(reader.read(ROWS, BYTES).rows()).isEmpty();
    }
    insert(WrittenEvent.of("now", "1"));
    assertThat(ids(reader.read(ROWS, BYTES).rows())).containsExactly("now");
  }

  /** It is in no list of running transactions, since none that began later has ended. */
  @Test
  void aLargeTransactionThatNobodyOvertookIsReadWhole() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection large = FIXTURE.connect();
        Connection other = FIXTURE.connect()) {
      large.setAutoCommit(false);
      write(large, "first", 5);
      // What is not flushed moves no reader.
      flush(other);
      for (int look = 0; look < 3; look++) {
        assertThat(reader.read(ROWS, BYTES).rows()).isEmpty();
      }
      write(large, "more", 40);
      large.commit();
    }
    List<OutboxRow> rows = new ArrayList<>();
    ReadResult result;
    do {
      result = reader.read(10, BYTES);
      rows.addAll(result.rows());
    } while (result.more() || !result.rows().isEmpty());
    assertThat(ids(rows)).hasSize(45).doesNotHaveDuplicates().startsWith("first0");
  }

  private static void write(Connection connection, String prefix, int events) throws SQLException {
    for (int i = 0; i < events; i++) {
      FIXTURE.insert(connection, WrittenEvent.of(prefix + i, "k" + i));
    }
  }

  private static void flush(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("checkpoint");
    }
  }
}
