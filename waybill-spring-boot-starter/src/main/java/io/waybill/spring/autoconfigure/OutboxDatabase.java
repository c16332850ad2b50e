package io.waybill.spring.autoconfigure;

import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.LayoutOptions;
import io.waybill.jdbc.LayoutOutbox;
import io.waybill.jdbc.OnPublished;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOptions;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database side: its tables are there once this is made.
 *
 * @param source data source of the transactions
 * @param tables tables of the outbox
 * @param own whether it is Waybill's own table
 */
record OutboxDatabase(DataSource source, OutboxTables tables, boolean own) {

  static OutboxDatabase open(
      DataSource source,
      ConnectionFactory connections,
      @Nullable Layout custom,
      WaybillProperties properties,
      String relay) {
    SchemaStep.Prepared prepared =
        new SchemaStep(connections, properties.schema())
            .run(kind -> checked(() -> layout(custom, properties, kind)));
    DatabaseKind kind = prepared.kind();
    Layout layout = prepared.layout();
    boolean own = Layouts.isOwn(layout);
    SameTable.require(source, connections, named(layout, own, kind, properties.schema().name()));
    OutboxTables tables =
        own && kind == DatabaseKind.POSTGRESQL
            ? PostgresOutbox.of(connections, checked(() -> postgres(properties, relay)))
            : LayoutOutbox.of(
                connections,
                layout,
                kind.dialect(),
                LayoutOptions.defaults(layout)
                    .statementLimit(properties.relay().queryTimeout())
                    .maxEventBytes(maxEventBytes(properties))
                    .applicationName("waybill " + relay));
    return new OutboxDatabase(source, tables, own);
  }

  /** As the statements name it: the own table on PostgreSQL always with its schema. */
  private static TableName named(
      Layout layout, boolean own, DatabaseKind kind, @Nullable String schema) {
    return own && kind == DatabaseKind.POSTGRESQL && schema == null
        ? new TableName("public", layout.table().name())
        : layout.table();
  }

  private static <T> T checked(Supplier<T> names) {
    try {
      return names.get();
    } catch (IllegalArgumentException e) {
      throw Problems.failure(
          List.of(e.getMessage() + " (from waybill.outbox.table or waybill.schema.name)"), e);
    }
  }

  static PostgresOptions postgres(WaybillProperties properties, String relay) {
    String schema = properties.schema().name();
    return PostgresOptions.defaults()
        .schema(schema == null ? "public" : schema)
        .onPublished(properties.outbox().onPublished())
        .statementLimit(properties.relay().queryTimeout())
        .maxEventBytes(maxEventBytes(properties))
        .applicationName("waybill " + relay);
  }

  private static int maxEventBytes(WaybillProperties properties) {
    return Math.toIntExact(properties.limits().maxEventBytes().toBytes());
  }

  private static Layout layout(
      @Nullable Layout custom, WaybillProperties properties, DatabaseKind kind) {
    if (custom != null) {
      return custom;
    }
    WaybillProperties.Outbox outbox = properties.outbox();
    Layout layout =
        switch (outbox.layout()) {
          case WAYBILL ->
              outbox.onPublished() == OnPublished.KEEP && kind != DatabaseKind.POSTGRESQL
                  ? Layouts.WAYBILL_KEEP
                  : Layouts.WAYBILL;
          case NOTIFICATION -> Layouts.NOTIFICATION;
          case EVENT_OUTBOX -> Layouts.EVENT_OUTBOX;
          case WALLET -> Layouts.WALLET;
          case POLYSHOP -> Layouts.POLYSHOP;
          case DEBEZIUM -> Layouts.DEBEZIUM;
        };
    String table = outbox.table();
    String schema = properties.schema().name();
    if (table == null && schema == null) {
      return layout;
    }
    return layout.table(new TableName(schema, table == null ? layout.table().name() : table));
  }
}
