package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.admin.Counts;
import io.waybill.admin.EventCount;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Waybill's own table where published events are deleted, with more failures than are looked at.
 */
abstract class ManyFailuresContract extends OperatedContract {
  /** A table of numbers n from 1 on. */
  abstract String numbers(int last);

  /** The outbox as SQL has it. */
  abstract String outbox();

  /** When an event of o was created, in microseconds. */
  abstract String created();

  /** Events b1, b2 and so on, each of a key of its own and with a failure. */
  void fail(int events, String state) throws SQLException {
    run(
        """
        insert into %s (event_id, event_type, aggregate_type, aggregate_id)
        select concat('b', n), 't', 'order', concat('k', n) from %s"""
            .formatted(outbox(), numbers(events)));
    run(
        """
        insert into %s (row_id, row_created, lane, aggregate_type, aggregate_id, state, attempts,
          unknown_outcome, last_reason, last_detail)
        select o.id, %s, o.lane, o.aggregate_type, o.aggregate_id, '%s', 1, false, 'nack', 'no'
        from %s o"""
            .formatted(fixture().table("row_state"), created(), state, outbox()));
  }

  void run(String sql) throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void numbersForDashboardsStopAndTheOldestThatWaitsIsFoundBehindThem() throws SQLException {
    fail(20_001, "DEAD");
    try (Admin admin = admin()) {
      Counts counts = admin.counts();
      assertThat(counts.dead()).isEqualTo(Counts.MOST).isEqualTo(10_000);
      assertThat(counts.parked()).isZero();
      assertThat(counts.oldestUnpublishedMillis()).isZero();
      EventFilter dead = EventFilter.status(EventStatus.DEAD);
      assertThat(admin.count(dead, null, 30_000)).isEqualTo(new EventCount(20_001, null));

      insert(WrittenEvent.of("waits", "1"));

      // In the first millisecond it is 0.
      Awaitility.await().until(() -> admin.counts().oldestUnpublishedMillis() > 0);
    }
  }
}
