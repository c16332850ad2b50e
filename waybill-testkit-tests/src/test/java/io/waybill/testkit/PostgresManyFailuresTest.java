package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.OnPublished;
import io.waybill.store.OutboxReader;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class PostgresManyFailuresTest extends ManyFailuresContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Override
  String numbers(int last) {
    return "generate_series(1, %d) as n".formatted(last);
  }

  @Override
  String outbox() {
    return "waybill_outbox";
  }

  @Override
  String created() {
    return "(extract(epoch from o.created_at) * 1000000)::bigint";
  }

  /**
   * A cold start passes over 100,000 blocked events, and begins before those it cannot remember.
   */
  @Test
  void eachOfMoreBlockedEventsThanAreRememberedIsReadOnceItIsSetBack() throws SQLException {
    fail(100_002, "PARKED");
    OutboxReader reader = reader();
    assertThat(coldStart(reader)).isEmpty();
    for (String event : List.of("b100002", "b100000", "b1")) {
      run(
          """
          delete from waybill_row_state
          where row_id = (select id from waybill_outbox where event_id = '%s')"""
              .formatted(event));
      assertThat(coldStart(reader)).contains(event);
    }
  }

  private List<String> coldStart(OutboxReader reader) throws SQLException {
    reader.revoke(allLanes());
    assignAll(reader);
    return ids(drain(reader));
  }
}
