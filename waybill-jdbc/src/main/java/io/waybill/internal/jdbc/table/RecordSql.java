package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.RecordTable;
import io.waybill.layout.RecordTable.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Statements on the table that records the processing of each event. Immutable. */
public final class RecordSql {
  private final SqlDialect dialect;
  private final TableTerms terms;
  private final RecordTable record;
  private final String table;
  private final String eventId;

  /**
   * Statements for a layout.
   *
   * @param layout a layout with a record
   * @param dialect the database's dialect
   * @param names names of its side tables
   */
  public RecordSql(Layout layout, SqlDialect dialect, SideNames names) {
    this.dialect = dialect;
    this.terms = new TableTerms(layout, dialect, names);
    this.record = Objects.requireNonNull(layout.progress().record(), "record");
    this.eventId = Objects.requireNonNull(layout.identity().eventId(), "event id");
    String schema = layout.table().schema();
    String name = dialect.quote(record.name());
    this.table = schema == null ? name : dialect.quote(schema) + "." + name;
  }

  /**
   * The lanes that other sessions own. Parameter: fence.
   *
   * @return statement returning lanes
   */
  public String othersLanes() {
    return terms.sql("select l.lane from ${lane} l where l.fence <> ?");
  }

  /**
   * Writes a status. It does not touch a row of another event whose id the table treats as equal,
   * and never reverts SUCCESS. Parameters: row ids.
   *
   * @param status the status
   * @param ids number of ids
   * @return update statement
   */
  public String write(Status status, int ids) {
    String id = dialect.quote(record.eventId());
    String state = dialect.quote(record.status());
    String created = dialect.quote(record.createdAt());
    String updated = dialect.quote(record.updatedAt());
    String mine = bytes(dialect.stored(id)) + " = " + bytes(dialect.incoming(id));
    String open =
        status == Status.SUCCESS ? mine : mine + " and " + dialect.stored(state) + " <> 'SUCCESS'";
    Map<String, String> changes = new LinkedHashMap<>();
    // The status last: MySQL and MariaDB see what the changes before have made.
    changes.put(updated, either(open, dialect.incoming(updated), dialect.stored(updated)));
    changes.put(state, either(open, dialect.incoming(state), dialect.stored(state)));
    String query =
        """
        select k.record_of, '%s', ${now}, ${now}
        from (select %s as record_of from ${outbox} o where %s) k
        order by k.record_of"""
            .formatted(status.name(), terms.column(eventId), dialect.oneOf(terms.id(), ids));
    return terms.sql(
        dialect.insertOrChange(table, id, List.of(id, state, created, updated), query, changes));
  }

  /**
   * The events of rows. Parameters: row ids.
   *
   * @param ids number of ids
   * @return statement returning event ids
   */
  public String events(int ids) {
    return terms.sql(
        "select %s from ${outbox} o where %s"
            .formatted(terms.column(eventId), dialect.oneOf(terms.id(), ids)));
  }

  /**
   * Removes records of events that are not in the outbox any more. Parameters: event ids.
   *
   * @param events number of ids
   * @return update statement
   */
  public String forget(int events) {
    String id = "o." + dialect.quote(record.eventId());
    String gone =
        "not exists (select 1 from ${outbox} x where x.%s = %s)"
            .formatted(dialect.quote(eventId), id);
    return terms.sql(dialect.deleteByKey(table, dialect.oneOf(id, events) + " and " + gone));
  }

  private String bytes(String column) {
    return dialect.bytewise(column);
  }

  private static String either(String condition, String yes, String no) {
    return "case when " + condition + " then " + yes + " else " + no + " end";
  }

  /**
   * Which events have been confirmed. Parameters: event ids.
   *
   * @param ids number of ids
   * @return statement returning event ids, some perhaps of other events whose ids the table treats
   *     as equal
   */
  public String confirmed(int ids) {
    String id = "r." + dialect.quote(record.eventId());
    return "select %s from %s r where %s and r.%s = 'SUCCESS'"
        .formatted(dialect.text(id), table, dialect.oneOf(id, ids), dialect.quote(record.status()));
  }
}
