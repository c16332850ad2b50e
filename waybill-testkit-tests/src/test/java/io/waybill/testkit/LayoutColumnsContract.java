package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.SideNames;
import io.waybill.internal.store.HeaderJson;
import io.waybill.internal.store.HeaderJson.Parsed;
import io.waybill.jdbc.TableSchema;
import io.waybill.message.Header;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the columns of the documented tables say after settlements. */
abstract class LayoutColumnsContract {
  private final TestDatabase database = database();

  abstract TestDatabase database();

  @Test
  void eventOutboxCountsAttemptsAndShowsTheNext() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      assertThat(headers(row)).containsExactly(new Header("producer-node", "node-1"));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 0");
      table.fail(row, RowState.RETRY, 1);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 1 next");
      table.fail(row, RowState.PARKED, 2);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 2");
      table.fail(row, RowState.DEAD, 3);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("failed 3");
      table.hold(row);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 3");
      table.recover(row.sends(3));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("sent 4 processed");
      table.recover(row.sends(3));
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("sent 4 processed");
    }
  }

  @Test
  void whatOperatorsAskForAndWhatIsSettledTwiceAreNoAttempts() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.fail(row, RowState.PARKED, 0);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 0");
      table.fail(row, RowState.DEAD, 4);
      table.fail(row, RowState.DEAD, 4);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("failed 4");
      table.fail(row, RowState.RETRY, 0);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 4 next");
      table.fail(row, RowState.RETRY, 5);
      assertThat(table.column(LayoutTable.EVENT_OUTBOX)).isEqualTo("pending 5 next");
    }
  }

  private static List<Header> headers(OutboxRow row) {
    return ((Parsed.Valid) HeaderJson.read(row.headersJson())).headers().list();
  }

  @Test
  void notificationsAreProcessedOrFailed() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.NOTIFICATION)) {
      OutboxRow row = table.written();
      table.fail(row, RowState.DEAD);
      assertThat(table.column("status")).isEqualTo("FAILED");
      assertThat(table.column("published_at")).isNull();
      table.fail(row, RowState.RETRY);
      assertThat(table.column("status")).isEqualTo("PENDING");
      table.recover(row);
      assertThat(table.column("status")).isEqualTo("PROCESSED");
      assertThat(table.column("published_at")).isNotNull();
    }
  }

  @Test
  void walletEventsAreSentAndHaveAStableId() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.WALLET)) {
      OutboxRow row = table.written();
      assertThat(row.eventId()).isEqualTo("outbox:" + row.rowId());
      assertThat(row.correlationId()).isEqualTo("1");
      table.fail(row, RowState.DEAD);
      assertThat(table.column("sent")).isIn("f", "0");
      table.recover(row);
      assertThat(table.column("sent")).isIn("t", "1");
    }
  }

  @Test
  void polyshopShowsTheLastErrorUntilTheEventIsProcessed() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.POLYSHOP)) {
      OutboxRow row = table.written();
      assertThat(row.eventId()).isEqualTo(row.rowId().toString());
      table.fail(row, RowState.RETRY);
      assertThat(table.column("error_message")).isEqualTo("nack: no");
      table.recover(row);
      assertThat(table.column("error_message")).isNull();
      assertThat(table.column("processed")).isIn("t", "1");
      assertThat(table.column("processed_at")).isNotNull();
    }
  }

  @Test
  void thePublishedTimeIsUtcWhateverTheServersTimeZone() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.EVENT_OUTBOX)) {
      OutboxRow row = table.written();
      table.publish(row);
      String micros = database.dialect().micros("processed_at");
      assertThat(Long.parseLong(String.valueOf(table.column(micros))))
          .isBetween(row.readAtMicros() - 1_000_000, row.readAtMicros() + 60_000_000);
    }
  }

  @Test
  void makingTheTablesAgainChangesNothing() throws Exception {
    try (LayoutTable table = new LayoutTable(database, SampleTable.WALLET);
        Connection connection = database.connect()) {
      OutboxRow row = table.written();
      table.fail(row, RowState.PARKED);
      SideNames names = SideNames.of(table.fixture.layout());
      TableSchema.of(table.fixture.layout(), database.kind(), names, 64).apply(connection);
      assertThat(table.fixture.status("a")).isEqualTo("PARKED");
    }
  }
}
