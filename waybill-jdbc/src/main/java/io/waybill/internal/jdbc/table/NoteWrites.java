package io.waybill.internal.jdbc.table;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.Progress;
import io.waybill.layout.StateColumn;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Shows in the table why rows wait of which nothing is recorded, in the columns that it has for
 * that. Rows that wait for the same are changed together. Immutable.
 */
final class NoteWrites {
  private static final long DUE_MICROS = -TimeUnit.MINUTES.toMicros(1);

  private final Progress progress;
  private final SqlDialect dialect;
  private final TableWrites writes;
  private final ByRows rows;
  private final boolean delays;

  /** What a row is to show. */
  private record Shown(int sends, long delayMicros, String error) {}

  NoteWrites(Layout layout, SqlDialect dialect, TableWrites writes) {
    this.progress = layout.progress();
    this.dialect = dialect;
    this.writes = writes;
    this.rows = new ByRows(layout, dialect);
    this.delays = Delays.isShared(layout);
  }

  /** Whether the table has a column for any of it. */
  boolean any() {
    return !(progress.state() instanceof StateColumn.Presence)
        && (progress.attempts() != null || showsNext() || progress.error() != null);
  }

  /**
   * Whether it shows when a row is tried next. A column that delays rows does only beside a number
   * of attempts: else a time there would keep a row that was sent from the next owner of its key.
   */
  private boolean showsNext() {
    return progress.nextAttemptAt() != null && (!delays || progress.attempts() != null);
  }

  void write(Statements statements, List<FailedRow> noted) throws SQLException {
    if (noted.isEmpty()) {
      return;
    }
    Map<Shown, List<OutboxRow>> alike =
        noted.stream()
            .collect(
                groupingBy(this::shown, LinkedHashMap::new, mapping(FailedRow::row, toList())));
    for (Map.Entry<Shown, List<OutboxRow>> each : alike.entrySet()) {
      write(statements, each.getKey(), each.getValue());
    }
  }

  private Shown shown(FailedRow row) {
    int sends = progress.attempts() == null ? 0 : row.row().sends();
    // A row that was never sent is due, and has to stay so for clocks that step back and columns
    // that round: read again later, it would be passed by others of its key.
    long delay = delays && sends == 0 ? DUE_MICROS : row.delayMillis() * 1_000;
    return new Shown(
        sends, showsNext() ? delay : 0, progress.error() == null ? "" : ErrorColumn.of(row));
  }

  private void write(Statements statements, Shown shown, List<OutboxRow> these)
      throws SQLException {
    long latest = rows.latest(these);
    rows.run(
        statements,
        this::sql,
        ByRows.ids(these),
        binding -> {
          if (progress.attempts() != null) {
            binding.number(shown.sends());
          }
          if (showsNext()) {
            binding.number(shown.delayMicros());
          }
          if (progress.error() != null) {
            binding.text(shown.error());
          }
        },
        binding -> {
          binding.number(latest);
          if (showsErrorAlone()) {
            binding.text(shown.error());
          }
        });
  }

  /** Changes no row that stopped waiting, and none that says the same already. */
  private String sql(int ids) {
    List<String> changes = new ArrayList<>();
    writes.add(changes, progress.attempts(), writes.sends());
    if (showsNext()) {
      writes.add(changes, progress.nextAttemptAt(), dialect.later("${now}", "?"));
    }
    writes.add(changes, progress.error(), "?");
    String error = writes.quoted(progress.error());
    String news = showsErrorAlone() ? " and (" + error + " is null or " + error + " <> ?)" : "";
    return writes.update(changes, ids, waiting() + news);
  }

  private boolean showsErrorAlone() {
    return progress.error() != null && progress.attempts() == null && !showsNext();
  }

  private String waiting() {
    return progress.state() instanceof StateColumn.Word word
        ? writes.quoted(word.column()) + " = '" + word.pending() + "'"
        : writes.unpublished();
  }
}
