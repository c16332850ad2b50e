package io.waybill.jdbc;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.database.OutboxTables;
import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table of an outbox and its use by a relay, for every layout and database. Immutable.
 *
 * @param layout which column holds what, and the name of the table
 * @param sideNames names of Waybill's tables for an adopted one; null for those that follow from
 *     the table's name
 * @param timeRange which rows of an adopted table are relayed
 * @param onPublished treatment of published rows of Waybill's own table
 * @param statementLimit bound on every call to the database
 * @param maxEventBytes largest payload, headers and texts of a row that is read, in total
 * @param applicationName how connections name themselves to the database
 */
public record OutboxDefinition(
    Layout layout,
    @Nullable SideNames sideNames,
    TimeRange timeRange,
    OnPublished onPublished,
    Duration statementLimit,
    int maxEventBytes,
    String applicationName) {
  /**
   * Checks that all parts but the side tables' names are given. Waybill's own table must have its
   * documented name and side tables, and no time range.
   */
  public OutboxDefinition {
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(timeRange, "timeRange");
    Objects.requireNonNull(onPublished, "onPublished");
    Objects.requireNonNull(statementLimit, "statementLimit");
    Objects.requireNonNull(applicationName, "applicationName");
    if (Layouts.isOwn(layout)) {
      requireOwn(layout, sideNames, timeRange);
    }
  }

  private static void requireOwn(Layout layout, @Nullable SideNames sideNames, TimeRange range) {
    String name = Layouts.WAYBILL.table().name();
    if (!layout.table().name().equals(name)) {
      throw new IllegalArgumentException(
          "Waybill's own table must be named " + name + ", but is " + layout.table().name());
    }
    if (!range.equals(TimeRange.ALL)) {
      throw new IllegalArgumentException(
          "A time range is for adopted tables with a creation time, but the table is Waybill's");
    }
    if (sideNames != null && !sideNames.equals(SideNames.of(layout))) {
      throw new IllegalArgumentException(
          "Names of side tables are for adopted tables, but the table is Waybill's");
    }
  }

  /**
   * Describes a table with the defaults: all its rows, published rows of Waybill's own table
   * deleted, statements of at most 10 s.
   *
   * @param layout which column holds what, and the name of the table
   * @return definition
   */
  public static OutboxDefinition of(Layout layout) {
    PostgresOptions usual = PostgresOptions.ofDefaults();
    return new OutboxDefinition(
        layout,
        null,
        TimeRange.ALL,
        OnPublished.DELETE,
        usual.statementLimit(),
        usual.maxEventBytes(),
        usual.applicationName());
  }

  /**
   * The same with another layout.
   *
   * @param other which column holds what, and the name of the table
   * @return changed copy
   */
  public OutboxDefinition layout(Layout other) {
    return new OutboxDefinition(
        other, sideNames, timeRange, onPublished, statementLimit, maxEventBytes, applicationName);
  }

  /**
   * The same with other names of Waybill's tables.
   *
   * @param names names of the tables for an adopted one
   * @return changed copy
   */
  public OutboxDefinition sideNames(SideNames names) {
    return new OutboxDefinition(
        layout, names, timeRange, onPublished, statementLimit, maxEventBytes, applicationName);
  }

  /**
   * The same for some of the rows.
   *
   * @param range which rows of an adopted table are relayed, by their time of creation
   * @return changed copy
   */
  public OutboxDefinition timeRange(TimeRange range) {
    return new OutboxDefinition(
        layout, sideNames, range, onPublished, statementLimit, maxEventBytes, applicationName);
  }

  /**
   * The same with another treatment of published rows.
   *
   * @param fate treatment of published rows of Waybill's own table
   * @return changed copy
   */
  public OutboxDefinition onPublished(OnPublished fate) {
    return new OutboxDefinition(
        layout, sideNames, timeRange, fate, statementLimit, maxEventBytes, applicationName);
  }

  /**
   * The same with other bounds.
   *
   * @param statement bound on every call to the database, at least 1 s
   * @param eventBytes largest payload, headers and texts of a row that is read, in total
   * @return changed copy
   */
  public OutboxDefinition limits(Duration statement, int eventBytes) {
    return new OutboxDefinition(
        layout, sideNames, timeRange, onPublished, statement, eventBytes, applicationName);
  }

  /**
   * The same with another name of its connections.
   *
   * @param name how connections name themselves to the database
   * @return changed copy
   */
  public OutboxDefinition applicationName(String name) {
    return new OutboxDefinition(
        layout, sideNames, timeRange, onPublished, statementLimit, maxEventBytes, name);
  }

  /**
   * Opens the tables; connections follow at the first use.
   *
   * @param connections opens connections to the database
   * @param kind product of the database
   * @return the tables, unchecked
   */
  public OutboxTables open(ConnectionFactory connections, DatabaseKind kind) {
    boolean kept =
        onPublished == OnPublished.KEEP
            || layout.equals(Layouts.WAYBILL_KEEP.table(layout.table()));
    if (Layouts.isOwn(layout) && kind == DatabaseKind.POSTGRESQL) {
      String schema = layout.table().schema();
      return PostgresOutbox.of(
          connections,
          new PostgresOptions(
              schema == null ? PostgresOptions.ofDefaults().schema() : schema,
              kept ? OnPublished.KEEP : OnPublished.DELETE,
              statementLimit,
              applicationName,
              maxEventBytes));
    }
    Layout chosen =
        Layouts.isOwn(layout) && kept ? Layouts.WAYBILL_KEEP.table(layout.table()) : layout;
    return TableOutbox.of(
        connections,
        chosen,
        kind,
        new TableOptions(
            sideNames == null ? SideNames.of(chosen) : sideNames,
            statementLimit,
            applicationName,
            timeRange,
            maxEventBytes));
  }
}
