package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class PostgresPolyshopTableReaderTest extends OutboxReaderContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.POLYSHOP);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Test
  void aVersionThatIsNoneStopsNoOtherRow() throws SQLException {
    alter("bigint");
    insert(WrittenEvent.of("wide", "1"), WrittenEvent.of("good", "2"));
    sql("update layout_polyshop.outbox_events set version = 1e13 where event_type = 'wide'");
    try {
      OutboxReader reader = reader();
      assignAll(reader);
      assertThat(drain(reader))
          .extracting(OutboxRow::eventType, OutboxRow::eventVersion)
          .containsExactly(tuple("wide", OutboxRow.NO_VERSION), tuple("good", 1));
    } finally {
      FIXTURE.reset();
      alter("integer");
    }
  }

  private static void alter(String type) throws SQLException {
    sql("alter table layout_polyshop.outbox_events alter column version type " + type);
  }

  private static void sql(String text) throws SQLException {
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }
}
