package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.Database.Transaction;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.JobEventTable.Listed;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.JobRun.Tally;
import io.waybill.internal.jdbc.operator.Queries.Binder;
import io.waybill.internal.jdbc.operator.Queries.Row;
import io.waybill.internal.jdbc.table.TableTerms;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs in the database. */
final class JobTables {
  /** How long a job waits for its runner before another one may have it. */
  static final Duration LEASE = Duration.ofSeconds(15);

  private static final int MOST_DUE = 100;
  private static final Duration KEPT = Duration.ofDays(14);
  private static final Duration AWAITED = Duration.ofDays(1);

  private final Queries queries;
  private final SqlDialect dialect;
  private final TableTerms terms;
  private final JobEventTable events;

  JobTables(Queries queries, TableTerms terms) {
    this.queries = queries;
    this.dialect = queries.dialect();
    this.terms = terms;
    this.events = new JobEventTable(queries, terms);
  }

  /** The events of jobs. */
  JobEventTable events() {
    return events;
  }

  <T> T transaction(String what, Transaction<T> work) {
    return queries.database().transaction(what, work);
  }

  /**
   * A job that is planned.
   *
   * @param more whether more is meant than is listed
   * @param reached position of the last one listed, where the others are found while it runs
   * @param last where those end
   */
  record Plan(
      String verb,
      @Nullable String source,
      boolean despiteLimit,
      EventFilter filter,
      List<Listed> listed,
      boolean more,
      @Nullable String reached,
      @Nullable String last) {}

  void insert(long id, Plan plan, Pace pace, String by) {
    int listed = plan.listed().size();
    transaction(
        "plan a job",
        statements -> {
          PreparedStatement statement =
              statements.prepare(
                  sql(
                      """
                          insert into ${job} (id, state, verb, source, despite_limit, filter, matched,
                            more, last_position, reached_position, canary, rate, stop_after,
                            planned_by, planned)
                          values (?, 'PLANNED', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""));
          Binding binding = new Binding(statement, dialect);
          binding.number(id);
          binding.text(plan.verb());
          binding.text(plan.source());
          binding.flag(plan.despiteLimit());
          binding.text(FilterJson.write(plan.filter()));
          binding.number(listed);
          binding.flag(plan.more());
          binding.text(plan.last());
          binding.text(plan.reached());
          binding.number(pace.canary());
          binding.number(pace.rate());
          binding.number(pace.stopAfter());
          binding.text(by);
          binding.number(listed);
          statement.executeUpdate();
          return events.insert(statements, id, 0, plan.listed());
        });
  }

  List<Job> list(String condition, Binder binder) {
    return queries.list(
        "list jobs",
        sql(
            """
            select j.*, ${planned} as planned_micros, ${started} as started_micros,
              ${ended} as ended_micros
            from ${job} j where ${condition}"""
                .replace("${planned}", dialect.micros("j.planned_at"))
                .replace("${started}", dialect.micros("j.started_at"))
                .replace("${ended}", dialect.micros("j.ended_at"))
                .replace("${condition}", condition)),
        binder,
        JobTables::job);
  }

  private static Job job(ResultSet result) throws SQLException {
    return new Job(
        result.getLong("id"),
        Job.State.valueOf(result.getString("state")),
        result.getString("verb"),
        result.getString("source"),
        result.getBoolean("despite_limit"),
        FilterJson.read(result.getString("filter")),
        result.getInt("matched"),
        result.getBoolean("more"),
        new Pace(result.getInt("canary"), result.getInt("rate"), result.getInt("stop_after")),
        new Tally(
            result.getInt("succeeded"),
            result.getInt("failed"),
            result.getInt("refused"),
            result.getInt("skipped"),
            result.getInt("unclear")),
        result.getInt("open"),
        result.getString("planned_by"),
        AdminRows.time(result.getLong("planned_micros")),
        result.getString("requested_by"),
        result.getString("reason"),
        time(result, "started_micros"),
        time(result, "ended_micros"),
        result.getString("note"),
        result.getString("runner"));
  }

  private static @Nullable Instant time(ResultSet result, String column) throws SQLException {
    long micros = result.getLong(column);
    return result.wasNull() ? null : AdminRows.time(micros);
  }

  List<Long> due(String runner) {
    // What nothing has come of for a day is left alone.
    String awaited = dialect.later("j.changed_at", micros(AWAITED));
    return queries.list(
        "look for jobs",
        sql(
            """
            select j.id from ${job} j
            where (j.state = 'RUNNING' or (j.open > 0 and ${awaited} > ${clock}))
              and (j.runner is null or j.runner = ? or j.runner_until < ${clock})
            order by case when j.state = 'RUNNING' then 0 else 1 end, j.id limit ?"""
                .replace("${awaited}", awaited)),
        binding -> {
          binding.text(runner);
          binding.number(MOST_DUE);
        },
        result -> result.getLong(1));
  }

  /** Reads something of one job. */
  <T> T read(long id, String columns, Row<T> row) {
    return queries
        .list(
            "look at a job",
            sql("select " + columns + " from ${job} where id = ?"),
            binding -> binding.number(id),
            row)
        .get(0);
  }

  int change(String template, Binder binder) {
    return queries
        .database()
        .call(
            "change a job",
            sql(template),
            statement -> {
              binder.bind(new Binding(statement, dialect));
              return statement.executeUpdate();
            });
  }

  /** As {@link #change}, in a transaction. */
  int change(Statements statements, String template, Binder binder) throws SQLException {
    PreparedStatement statement = statements.prepare(sql(template));
    binder.bind(new Binding(statement, dialect));
    return statement.executeUpdate();
  }

  /** Reads rows by a statement with the names of the tables. */
  <T> List<T> rows(String what, String template, Binder binder, Row<T> row) {
    return queries.list(what, sql(template), binder, row);
  }

  /** The age of a column's time, in microseconds. */
  String age(String column) {
    return dialect.micros(dialect.clock()) + " - " + dialect.micros(column);
  }

  int clean() {
    String unused = dialect.later("planned_at", micros(AWAITED)) + " < ${clock}";
    // First, so that nobody lets it run any more.
    change(
        "update ${job} set state = 'CANCELLED', note = 'planned and not run', ended_at = ${clock}"
            + " where state = 'PLANNED' and "
            + unused,
        Binder.NOTHING);
    List<Long> ids =
        queries.list(
            "look for old jobs",
            sql(
                """
                select id from ${job}
                where state in ('DONE', 'STOPPED', 'CANCELLED')
                  and (${ended} < ${clock} or (started_at is null and ${unused}))
                order by id limit 1"""
                    .replace("${ended}", dialect.later("ended_at", micros(KEPT)))
                    .replace("${unused}", unused)),
            Binder.NOTHING,
            result -> result.getLong(1));
    int removed = 0;
    for (long id : ids) {
      removed += remove(id);
    }
    return removed;
  }

  /** Its events go first, in pieces. */
  private int remove(long id) {
    int removed = events.remove(id);
    return removed > 0
        ? removed
        : change("delete from ${job} where id = ?", binding -> binding.number(id));
  }

  /** Takes a job, or keeps it; returns whether it is this process's. */
  boolean take(long id, String runner) {
    return change(
            "update ${job} set runner = ?, runner_until = "
                + leaseEnd()
                + " where id = ? and (state = 'RUNNING' or open > 0)"
                + " and (runner is null or runner = ? or runner_until < ${clock})",
            binding -> {
              binding.text(runner);
              binding.number(id);
              binding.text(runner);
            })
        > 0;
  }

  /** Keeps others from taking or changing a job in this transaction, if it is this process's. */
  boolean lock(Statements statements, long id, String runner) throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                select id from ${job} where id = ? and runner = ? and state = 'RUNNING'
                for update"""));
    Binding binding = new Binding(statement, dialect);
    binding.number(id);
    binding.text(runner);
    return !Queries.read(statement, result -> result.getLong(1)).isEmpty();
  }

  /** Ends a job that runs, if it is this process's; returns whether it was. */
  boolean end(long id, String runner, @Nullable String stopped) {
    return change(
            """
            update ${job} set state = ?, note = ?, ended_at = ${clock}, changed_at = ${clock},
              runner = null
            where id = ? and runner = ? and state = 'RUNNING'""",
            binding -> {
              binding.text(stopped == null ? Job.State.DONE.name() : Job.State.STOPPED.name());
              binding.text(stopped);
              binding.number(id);
              binding.text(runner);
            })
        > 0;
  }

  /** Leaves a job to the next process that takes it. */
  void leave(long id, String runner) {
    change(
        "update ${job} set runner = null where id = ? and runner = ?",
        binding -> {
          binding.number(id);
          binding.text(runner);
        });
  }

  /** Changes numbers of a job, if it is this process's, and renews the lease. */
  boolean hold(
      Statements statements, long id, String runner, String condition, String set, long... numbers)
      throws SQLException {
    return change(
            statements,
            "update ${job} set "
                + set
                + ", runner_until = "
                + leaseEnd()
                + ", changed_at = ${clock} where id = ? and runner = ? and "
                + condition,
            binding -> {
              for (long number : numbers) {
                binding.number(number);
              }
              binding.number(id);
              binding.text(runner);
            })
        > 0;
  }

  private String leaseEnd() {
    return dialect.later(dialect.clock(), micros(LEASE));
  }

  private static String micros(Duration duration) {
    return Long.toString(duration.toNanos() / 1000);
  }

  private String sql(String template) {
    return terms.sql(template.replace("${clock}", dialect.clock()));
  }
}
