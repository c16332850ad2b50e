package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.append.RowContext;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.Progress;
import io.waybill.layout.StateColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements that settle rows of tables of any layout. Each finds its rows by primary key, and
 * locks no other rows. Immutable.
 */
public final class TableWrites {
  private static final List<String> FAILURE =
      List.of(
          "row_created",
          "state",
          "attempts",
          "unknown_outcome",
          "next_attempt_at",
          "last_reason",
          "last_detail",
          "destination",
          "failure_group",
          "changed_at");

  private static final List<String> HELD =
      List.of("row_created", "lane", "aggregate_type", "aggregate_id");

  private final Layout layout;
  private final SqlDialect dialect;
  private final TableTerms terms;

  /**
   * Statements for a layout.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   */
  public TableWrites(Layout layout, SqlDialect dialect, SideNames names) {
    this.layout = layout;
    this.dialect = dialect;
    this.terms = new TableTerms(layout, dialect, names);
  }

  /**
   * Keeps the session from being fenced until the transaction ends. Parameter: fence.
   *
   * @return statement returning one row if the session is alive
   */
  public String holdFence() {
    return terms.sql("select x.fence from ${session} x where x.fence = ? ${share}");
  }

  /**
   * Marks or removes published rows. Parameters: sends that were not confirmed if the table counts
   * them, ids, latest time of creation among them. A row that was created later only reuses an id.
   *
   * @param ids number of ids
   * @return update statement; rows that are already marked are not counted
   */
  public String publish(int ids) {
    if (layout.progress().state() instanceof StateColumn.Presence) {
      return terms.sql(dialect.deleteByKey("${outbox}", theseRows(ids)));
    }
    return update(publishedValues(), ids, unpublished());
  }

  /**
   * Whether the table counts sends.
   *
   * @return whether {@link #publish} and {@link #showPending} take their number
   */
  public boolean countsSends() {
    return layout.progress().attempts() != null
        && !(layout.progress().state() instanceof StateColumn.Presence);
  }

  /**
   * Removes the side-table entries of rows that are deleted when they are published. Parameters:
   * ids.
   *
   * @param ids number of ids
   * @return update statement, or null if rows stay or have columns for everything
   */
  public @Nullable String forgetContext(int ids) {
    if (!(layout.progress().state() instanceof StateColumn.Presence)
        || RowContext.isNeedless(layout)) {
      return null;
    }
    return terms.sql(dialect.deleteByKey("${row_context}", dialect.oneOf("row_id", ids)));
  }

  /**
   * Marks or removes rows that were published before, without counting an attempt. Parameters: ids,
   * latest time of creation among them.
   *
   * @param ids number of ids
   * @return update statement
   */
  public String markConfirmed(int ids) {
    Progress progress = layout.progress();
    if (progress.state() instanceof StateColumn.Presence) {
      return publish(ids);
    }
    List<String> changes = new ArrayList<>();
    changes.add(stateValue(true));
    add(changes, progress.publishedAt(), "${now}");
    add(changes, progress.nextAttemptAt(), "null");
    add(changes, progress.error(), "null");
    return update(changes, ids, unpublished());
  }

  /** Changes rows that meet a condition. Parameters: of the changes, ids, latest, the condition. */
  String update(List<String> changes, int ids, String condition) {
    return terms.sql(
        dialect.updateByKey(
            "${outbox}", String.join(", ", changes), theseRows(ids) + " and " + condition));
  }

  private String theseRows(int ids) {
    return dialect.oneOf("${plain_id}", ids) + " and ${created_of} <= ?";
  }

  private List<String> publishedValues() {
    Progress progress = layout.progress();
    List<String> changes = new ArrayList<>();
    changes.add(stateValue(true));
    add(changes, progress.publishedAt(), "${now}");
    add(changes, progress.attempts(), sends() + " + 1");
    add(changes, progress.nextAttemptAt(), "null");
    add(changes, progress.error(), "null");
    return changes;
  }

  /** At least what the table has: another relay may have counted sends that this one knows not. */
  String sends() {
    return "greatest(coalesce(" + quoted(layout.progress().attempts()) + ", 0), ?)";
  }

  private String stateValue(boolean published) {
    if (layout.progress().state() instanceof StateColumn.Word word) {
      String value = published ? word.published() : word.pending();
      return quoted(word.column()) + " = '" + value + "'";
    }
    return layout.progress().state() instanceof StateColumn.Flag flag
        ? quoted(flag.column()) + " = " + published
        : "";
  }

  String unpublished() {
    if (layout.progress().state() instanceof StateColumn.Word word) {
      return quoted(word.column()) + " <> '" + word.published() + "'";
    }
    return layout.progress().state() instanceof StateColumn.Flag flag
        ? quoted(flag.column()) + " = false"
        : "true";
  }

  void add(List<String> changes, @Nullable String column, String value) {
    if (column != null) {
      changes.add(quoted(column) + " = " + value);
    }
  }

  String quoted(@Nullable String column) {
    return column == null ? "" : dialect.quote(column);
  }

  /**
   * Removes records of failures. Parameters: ids, latest time of creation among them.
   *
   * @param ids number of ids
   * @return update statement
   */
  public String forget(int ids) {
    return terms.sql(dialect.deleteByKey("${row_state}", notesOf(ids)));
  }

  /**
   * Takes rows out of those that wait behind a key. Parameters: ids, latest time of creation among
   * them.
   *
   * @param ids number of ids
   * @return update statement
   */
  public String release(int ids) {
    return terms.sql(dialect.deleteByKey("${held}", notesOf(ids)));
  }

  private String notesOf(int ids) {
    return dialect.oneOf("row_id", ids) + " and row_created <= ?";
  }

  /**
   * Whether the table itself shows failures.
   *
   * @return false if {@link #showFailure} is not needed
   */
  public boolean showsFailures() {
    Progress progress = layout.progress();
    return progress.state() instanceof StateColumn.Word
        || progress.attempts() != null
        || progress.nextAttemptAt() != null
        || progress.error() != null;
  }

  /**
   * Shows a failure in the row, before {@link #fail} records it. Parameters: sends that were not
   * confirmed if the table counts them; delay in microseconds or null if it has a time of the next
   * attempt; the error if it has a column for it; row id, its time of creation.
   *
   * @param dead whether the row is dead
   * @return update statement
   */
  public String showFailure(boolean dead) {
    Progress progress = layout.progress();
    List<String> changes = new ArrayList<>();
    if (progress.state() instanceof StateColumn.Word word) {
      String value = dead ? word.dead() : word.pending();
      changes.add(quoted(word.column()) + " = '" + value + "'");
    }
    add(changes, progress.attempts(), sends());
    add(changes, progress.nextAttemptAt(), dialect.later("${now}", "?"));
    add(changes, progress.error(), "?");
    return terms.sql(
        """
        update ${outbox} set ${changes}
        where ${plain_id} = ? and ${created_of} = ? and ${unpublished}"""
            .replace("${changes}", String.join(", ", changes))
            .replace("${unpublished}", unpublished()));
  }

  /**
   * Shows in the row that it waits again. Parameters: sends that were not confirmed if they are
   * counted, ids, latest time of creation among them.
   *
   * @param ids number of ids
   * @param counted whether there were sends, and the table counts them
   * @return update statement, or null if the table does not show that
   */
  public @Nullable String showPending(int ids, boolean counted) {
    Progress progress = layout.progress();
    List<String> changes = new ArrayList<>();
    if (counted) {
      add(changes, progress.attempts(), sends());
    }
    if (progress.state() instanceof StateColumn.Word) {
      changes.add(stateValue(false));
    }
    add(changes, progress.nextAttemptAt(), "null");
    return changes.isEmpty() ? null : update(changes, ids, unpublished());
  }

  /**
   * Records a failure. Parameters: row id, time of creation, lane, aggregate type, aggregate id,
   * state, attempts, unknown outcome, delay in microseconds or null, reason, detail, destination,
   * group; row id, time of creation.
   *
   * @return update statement; it changes nothing if the row is gone
   */
  public String fail() {
    // A table with one column, since the outbox may have columns of the same names.
    return terms.sql(
        """
        ${insert} into ${row_state} (row_id, row_created, lane, aggregate_type, aggregate_id, state,
          attempts, unknown_outcome, next_attempt_at, last_reason, last_detail, destination,
          failure_group, changed_at)
        select ?, ?, ?, ?, ?, ?, ?, ?, ${next}, ?, ?, ?, ?, ${now}
        from (select ${id} from ${outbox} o where ${id} = ? and ${row_created} = ?) o
        ${overwrite}"""
            .replace("${insert}", dialect.insertOfBatch())
            .replace("${next}", dialect.later("${now}", "?"))
            .replace("${overwrite}", dialect.orUpdate("row_id", FAILURE)));
  }

  /**
   * Records a row that waits behind a key. Parameters: row id, time of creation, lane, aggregate
   * type, aggregate id; row id, time of creation.
   *
   * @return update statement; it changes nothing if the row is gone
   */
  public String hold() {
    return terms.sql(
        """
        ${insert} into ${held} (row_id, row_created, lane, aggregate_type, aggregate_id)
        select ?, ?, ?, ?, ?
        from (select ${id} from ${outbox} o where ${id} = ? and ${row_created} = ?) o
        ${overwrite}"""
            .replace("${insert}", dialect.insertOfBatch())
            .replace("${overwrite}", dialect.orUpdate("row_id", HELD)));
  }

  /**
   * Records the result of a request. Parameters: done, note, request id.
   *
   * @return update statement
   */
  public String answer() {
    return terms.sql(
        """
        update ${audit} set completed_at = ${now}, done = ?, note = ?
        where completed_at is null and id = (select q.audit_id from ${request} q where q.id = ?)""");
  }

  /**
   * Removes a request. Parameter: request id.
   *
   * @return update statement
   */
  public String remove() {
    return terms.sql("delete from ${request} where id = ?");
  }
}
