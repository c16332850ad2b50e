package io.waybill.internal.jdbc.window;

import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.RowBound;
import java.util.List;

/**
 * What the statements of {@link CommitWindowSql} have in common: the columns of a row, where the
 * database stands, and the bounds in bytes.
 *
 * @param schema quoted name
 * @param bound how large a row may be for its contents to be read
 */
record PostgresTemplates(String schema, RowBound bound) {
  private static final List<String> TEXTS =
      List.of(
          "o.event_type",
          "o.aggregate_type",
          "o.aggregate_id",
          "o.content_type",
          "o.correlation_id",
          "o.causation_id",
          "o.traceparent");

  // Each row's bytes are counted before any of its columns is: a huge one is never put out.
  private static final String BYTES =
      RowBound.sum(TEXTS) + " + " + RowBound.sum(List.of("o.headers::text", "o.payload"));

  private static final String BEFORE =
      """
      sum(case when o.bytes <= ${max_bytes} then o.bytes else 0 end) over (
              order by ${order} rows between unbounded preceding and 1 preceding) as before""";

  // Delayed rows are asked for in every header, so that they cost no statement of their own.
  private static final String HEADER =
      """
      concat_ws(' ', pg_current_snapshot(),
          (extract(epoch from clock_timestamp()) * 1000000)::bigint,
          (select last_value from ${schema}.waybill_outbox_id_seq),
          pg_current_wal_insert_lsn(),
          pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn(),
          coalesce((
            select (extract(epoch from least(o.available_at, '9999-12-31 00:00Z')) * 1000000)::bigint
            from ${schema}.waybill_outbox o
            where o.available_at is not null and o.available_at > (select due from p)
            order by o.available_at limit 1), 0),
          age(cast(pg_snapshot_xmax(pg_current_snapshot()) as xid)))""";

  // In the statement that reads rows: a fenced session must not see what later owners have written.
  private static final String ALIVE =
      "exists (select 1 from ${schema}.waybill_session x where x.fence = ?)";

  // What tells a row from a later one with the same id.
  static final String CREATED = new PostgresDialect().micros("o.created_at");

  /** Fills a template in; its rows, named o, have their size in a column named bytes. */
  String fill(String template) {
    return template
        .replace("${header}", HEADER)
        .replace("${columns}", columns())
        .replace("${before}", BEFORE.replace("${order}", "o.id"))
        .replace("${before_by_ask}", BEFORE.replace("${order}", "o.n"))
        .replace("${before_by_request}", BEFORE.replace("${order}", "o.request_id"))
        .replace("${bytes}", BYTES)
        .replace("${max_bytes}", Integer.toString(bound.maxBytes()))
        .replace("${alive}", ALIVE)
        .replace("${created}", CREATED)
        .replace("${schema}", schema);
  }

  private static String columns() {
    String fits = "case when o.bytes <= ${max_bytes} then ";
    StringBuilder columns =
        new StringBuilder(
            "o.id, timestamptz_send(o.created_at), o.event_version, o.lane, o.event_id");
    for (String text : TEXTS) {
      columns.append(",\n  ").append(RowBound.cut(text));
    }
    return columns
        .append(",\n  " + fits + "o.headers::text end, " + fits + "o.payload end, o.bytes")
        .toString();
  }
}
