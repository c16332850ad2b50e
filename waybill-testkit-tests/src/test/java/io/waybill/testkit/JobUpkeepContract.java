package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.RunningJob.JobTakenException;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How long jobs are kept, and by whom, on any table. */
abstract class JobUpkeepContract extends FailureGroupContract {
  static final Pace AT_ONCE = new Pace(0, 1_000, 5);
  static final Pace ONE_FIRST = new Pace(1, 1_000, 5);
  static final long SECOND = Duration.ofSeconds(1).toNanos();

  @Test
  void theLeaseOfAProcessThatIsSilentEnds() throws SQLException {
    Session session = owner();
    written("first", "second");
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      Job planned = plan(admin, Verb.PARK, ONE_FIRST, "first", "second");
      jobs.run(planned.id(), BY);
      JobRun run = jobs.take(planned.id(), "a").orElseThrow().run();
      assertThat(run.step(0)).isFalse();
      later("runner_until", Duration.ofSeconds(-20));
      assertThat(jobs.due("b")).containsExactly(planned.id());
      assertThat(jobs.take(planned.id(), "b")).isPresent();
      settle(session, requests().get(0).answer(true, "parked"));
      assertThatThrownBy(() -> run.step(SECOND)).isInstanceOf(JobTakenException.class);
    }
  }

  @Test
  void whatHasLongEndedIsRemovedWithItsEventsAndWhatWasNeverRun() throws SQLException {
    owner();
    written("first");
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      long never = plan(admin, Verb.PARK, AT_ONCE, "first").id();
      long ended = plan(admin, Verb.PARK, AT_ONCE, "first").id();
      jobs.run(ended, BY);
      assertThat(jobs.clean()).isZero();
      later("planned_at", Duration.ofDays(-2));
      jobs.cancel(ended, "kim");
      cleaned(jobs);
      assertThat(jobs.list(Long.MAX_VALUE, 10)).extracting(Job::id).containsExactly(ended);
      assertThat(jobs.events(never, null, 0, 10)).isEmpty();
      assertThat(jobs.events(ended, null, 0, 10)).hasSize(1);
      later("ended_at", Duration.ofDays(-15));
      cleaned(jobs);
      assertThat(jobs.list(Long.MAX_VALUE, 10)).isEmpty();
      assertThat(jobs.events(ended, null, 0, 10)).isEmpty();
    }
  }

  private static void cleaned(Jobs jobs) {
    for (int pieces = 0; pieces < 10 && jobs.clean() > 0; pieces++) {
      // One piece after the other.
    }
  }

  /** Moves times of all jobs; there are those of this test alone. */
  private void later(String column, Duration by) throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
      String interval =
          postgres
              ? "interval '%d seconds'".formatted(by.toSeconds())
              : "interval %d second".formatted(by.toSeconds());
      for (String table : jobTables(connection)) {
        statement.execute("update %s set %s = %s + %s".formatted(table, column, column, interval));
      }
    }
  }

  private static List<String> jobTables(Connection connection) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select table_schema, table_name from information_schema.tables"
                    + " where table_name like 'waybill%job'")) {
      while (result.next()) {
        tables.add(result.getString(1) + "." + result.getString(2));
      }
    }
    return tables;
  }

  Job plan(Admin admin, Verb verb, Pace pace, String... names) {
    return Jobs.of(admin).plan(verb, EventFilter.ids(ids(admin, names)), pace, "kim", 10_000);
  }

  List<String> ids(Admin admin, String... names) {
    return Stream.of(names).map(name -> id(admin, name)).toList();
  }

  /** Some seconds. */
  static boolean steps(JobRun run, int from, int to) {
    boolean ended = false;
    for (int second = from; second < to && !ended; second++) {
      ended = run.step(second * SECOND);
    }
    return ended;
  }

  void settle(Session session, HandledRequest answer) {
    store()
        .settle(
            session, new Settlement(List.of(), List.of(), List.of(), List.of(), List.of(answer)));
  }
}
