package io.waybill.server.command;

import static org.awaitility.Awaitility.await;

import io.waybill.testkit.Patience;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;

/** Twenty parked events of one group; the test does what relays would do. */
abstract class ParkedGroup extends CommandsOnPostgres {
  static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  static final String DIGITS = "0123456789abcdef".repeat(2);
  static final String GROUP = "parked-" + DIGITS;

  @BeforeEach
  void park() throws SQLException {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload, headers)
        select 'p' || n, 'placed', 'order', 'p' || n, '{}', '{"colour":"red"}' from generate_series(10, 29) n
        """);
    sql(
        """
        insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id, state, attempts,
          unknown_outcome, last_reason, last_detail, destination, failure_group)
        select id, (extract(epoch from created_at) * 1000000)::bigint, lane, aggregate_type, aggregate_id,
          'PARKED', 10, false, 'refused', 'too large', 'orders-red', '%s'
        from waybill_outbox where event_id like 'p%%'
        """
            .formatted(DIGITS));
  }

  /** Answers what is asked for until the command has ended. */
  CommandRun answered(Future<CommandRun> running, Predicate<String> fails) throws Exception {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              for (String id : open()) {
                carryOut(id, fails.test(id));
              }
              return running.isDone();
            });
    return running.get();
  }

  void carryOut(String id, boolean fails) throws SQLException {
    String row = "(select id from waybill_outbox where event_id = '%s')".formatted(id);
    sql(
        fails
            ? "update waybill_row_state set attempts = 1 where row_id = " + row
            : "delete from waybill_row_state where row_id = " + row);
    sql("delete from waybill_request where row_id = " + row);
    answer(id, true, "tried now");
    sql(
        (fails
                ? "update waybill_row_state set changed_at = clock_timestamp() where row_id = "
                    + row
                : "delete from waybill_outbox where event_id = '%s'")
            .formatted(id));
  }

  List<String> open() throws SQLException {
    return lines(
        """
        select string_agg(a.event_id, ',' order by a.id)
        from waybill_request r join waybill_audit a on a.id = r.audit_id""");
  }

  List<String> requested() throws SQLException {
    return lines("select string_agg(event_id, ',' order by id) from waybill_audit");
  }

  List<String> lines(String sql) throws SQLException {
    String text = text(sql);
    return text.equals("null") ? List.of() : List.of(text.split(",", -1));
  }
}
