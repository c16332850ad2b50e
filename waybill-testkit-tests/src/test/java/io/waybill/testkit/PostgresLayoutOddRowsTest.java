package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.HeldKey;
import io.waybill.store.OutboxReader;
import io.waybill.store.ReadResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class PostgresLayoutOddRowsTest extends LayoutOddRowsContract {
  private static final TestDatabase DATABASE = new PostgresTestDatabase();
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(DATABASE, SampleTable.EVENT_OUTBOX);

  @Override
  protected LayoutFixture fixture() {
    return FIXTURE;
  }

  @Override
  TestDatabase database() {
    return DATABASE;
  }

  /** They say that hardly any row waits, and no plan may rely on that. */
  @Test
  void statisticsOfATimeWhenNothingWaitedSlowNoTakeOverDown() throws SQLException {
    int events = 100_000;
    String table = String.valueOf(FIXTURE.layout().table());
    warmReader();
    run(
        """
        insert into %s (id, event_key, entity_table, entity_pk, event_type, payload, status)
        select i, 'k' || i, 'order', 'o' || i, 'placed', '{}', 'sent'
        from generate_series(1, %d) i"""
            .formatted(table, events));
    run("analyze " + table);
    run("update " + table + " set status = 'pending'");
    run(
        """
        insert into %s (row_id, row_created, lane, aggregate_type, aggregate_id)
        select id, (extract(epoch from created_at) * 1000000)::bigint, 0, entity_table, entity_pk
        from %s"""
            .formatted(FIXTURE.table("held"), table));

    OutboxReader reader = reader();
    List<HeldKey> keys = new ArrayList<>(assignAll(reader).held());
    ReadResult rest;
    do {
      rest = reader.read(ROWS, BYTES);
      keys.addAll(rest.backlog().held());
    } while (rest.more());

    assertThat(keys).hasSize(events);
  }
}
