package io.waybill.bench.counts;

import io.waybill.bench.load.AdoptedTable;
import io.waybill.bench.load.Tables;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.database.OutboxTables;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A table whose events are counted. */
public enum Subject {
  /** Waybill's own, published rows deleted. */
  DELETE(null, false),
  /** Waybill's own, published rows kept. */
  KEEP(null, true),
  /** State column and a record of claims. */
  NOTIFICATION("notification", false),
  /** State column and five indexes. */
  EVENT_OUTBOX("event-outbox", false),
  /** Flag. */
  WALLET("wallet", false),
  /** Flag and time. */
  POLYSHOP("polyshop", false);

  private final @Nullable String layout;
  private final boolean keep;

  Subject(@Nullable String layout, boolean keep) {
    this.layout = layout;
    this.keep = keep;
  }

  void create(Tables tables) throws SQLException {
    tables.prepareTemplates();
    if (layout == null) {
      tables.createWaybill();
    } else {
      AdoptedTable.of(layout).create(tables);
    }
  }

  void insert(Tables tables, long events, int keys) throws SQLException {
    if (layout == null) {
      tables.insert("waybill_outbox", events, keys);
    } else {
      AdoptedTable.of(layout).insert(tables, events, keys);
    }
  }

  OutboxTables outbox(ConnectionFactory connections) {
    if (layout == null) {
      OnPublished published = keep ? OnPublished.KEEP : OnPublished.DELETE;
      return PostgresOutbox.of(connections, PostgresOptions.ofDefaults().onPublished(published));
    }
    var adopted = AdoptedTable.of(layout).layout();
    return TableOutbox.of(
        connections, adopted, DatabaseKind.POSTGRESQL, TableOptions.defaults(adopted));
  }
}
