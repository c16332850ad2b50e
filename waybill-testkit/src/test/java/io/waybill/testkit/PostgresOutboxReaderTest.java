package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.jdbc.OnPublished;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
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
}
