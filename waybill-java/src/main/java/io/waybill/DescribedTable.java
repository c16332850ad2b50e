package io.waybill;

import io.waybill.database.AppendDialect;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.database.OutboxTables;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.internal.jdbc.table.RetentionSql;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The part of a relay's description that says which table it reads; {@link RelayBuilder} sets it.
 */
final class DescribedTable {
  private final String relay;
  @Nullable ConnectionFactory connections;
  @Nullable OutboxTables given;
  Preset preset = Preset.WAYBILL;
  @Nullable Layout layout;
  @Nullable UnaryOperator<OutboxDefinition> change;
  @Nullable Duration retention;

  DescribedTable(String relay) {
    this.relay = relay;
  }

  /**
   * Opens the tables.
   *
   * @param listen whether the relay takes notifications
   * @return asks the database when it is called, until it was reached
   */
  Supplier<OutboxTables> opened(boolean listen) {
    OutboxTables tables = given;
    if (tables != null) {
      requireNothingBesides(tables, listen);
      return () -> tables;
    }
    ConnectionFactory database = RelayBuilder.required("an outbox", connections);
    OutboxDefinition defined = defined();
    if (listen && !Layouts.isOwn(defined.layout())) {
      throw new IllegalStateException(
          "Notifications need Waybill's own table on PostgreSQL, but the layout is "
              + defined.layout().name());
    }
    return new Opened(() -> defined.open(database, DatabaseKind.of(database)));
  }

  private void requireNothingBesides(OutboxTables tables, boolean listen) {
    if (connections != null) {
      throw new IllegalStateException("A relay takes either outbox or tables, but both were given");
    }
    if (layout != null || change != null) {
      throw new IllegalStateException(
          "Opened tables have their layout and options: layout and table must be left out");
    }
    if (listen && !(tables instanceof PostgresOutbox)) {
      throw new IllegalStateException(
          "Notifications need Waybill's own table on PostgreSQL, but other tables were given");
    }
  }

  /** Refuses to keep published rows for a while in a table that could not remove them after it. */
  void requireRetainable() {
    if (given == null && retention != null && !Layouts.isOwn(defined().layout())) {
      String refusal = RetentionSql.refusal(defined().layout());
      if (refusal != null) {
        throw new IllegalArgumentException("retention must be left out: " + refusal);
      }
    }
  }

  /** The dialect that writes events: the chosen one, or that of the tables. */
  LateAppend written(@Nullable AppendDialect chosen) {
    AppendDialect known = chosen == null && given != null ? given.append() : chosen;
    if (known != null) {
      return new LateAppend(connection -> known);
    }
    ConnectionFactory database = RelayBuilder.required("an outbox", connections);
    OutboxDefinition defined = defined();
    return new LateAppend(
        connection -> defined.open(database, DatabaseKind.of(connection)).append());
  }

  /** Whether the table was there before Waybill, and its consumers with it. */
  boolean isAdopted() {
    return given == null
        ? !Layouts.isOwn(defined().layout())
        : given instanceof TableOutbox opened && opened.isAdopted();
  }

  private OutboxDefinition defined() {
    OutboxDefinition usual =
        OutboxDefinition.of(layout == null ? preset.layout() : layout)
            .applicationName("waybill " + relay);
    OutboxDefinition kept = retention == null ? usual : usual.onPublished(OnPublished.KEEP);
    return change == null ? kept : change.apply(kept);
  }

  /** The time at which another relay takes over, if the table is shared by time. */
  @Nullable Instant until() {
    return given == null ? defined().timeRange().until() : null;
  }

  /** Kept once they are there; a database that is away is asked again. */
  private static final class Opened implements Supplier<OutboxTables> {
    private final Supplier<OutboxTables> open;
    private volatile @Nullable OutboxTables tables;

    Opened(Supplier<OutboxTables> open) {
      this.open = open;
    }

    @Override
    public OutboxTables get() {
      OutboxTables opened = tables;
      if (opened == null) {
        opened = open.get();
        tables = opened;
      }
      return opened;
    }
  }
}
