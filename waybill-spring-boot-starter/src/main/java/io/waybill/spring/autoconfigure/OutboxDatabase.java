package io.waybill.spring.autoconfigure;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.jdbc.OutboxTables;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.spring.autoconfigure.WaybillProperties.SchemaMode;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;

/**
 * The tables of an outbox in the application's own database: they are there once this is made.
 *
 * @param outbox the outbox
 * @param source data source of the transactions
 * @param tables tables of the outbox
 */
@DependsOnDatabaseInitialization
record OutboxDatabase(ConfiguredOutbox outbox, DataSource source, OutboxTables tables) {

  static OutboxDatabase open(
      ConfiguredOutbox outbox,
      DataSource source,
      ConnectionFactory connections,
      @Nullable Layout custom) {
    Opening opening = new Opening(outbox, connections, custom);
    SchemaStep.Prepared prepared = opening.prepare();
    SameTable.require(source, connections, opening.named(prepared));
    return new OutboxDatabase(outbox, source, opening.tables(prepared));
  }

  /**
   * The tables of an outbox that no transaction of the application writes to. Whether they are as
   * they should be is for the checks of the relay.
   */
  static OutboxTables open(
      ConfiguredOutbox outbox, ConnectionFactory connections, @Nullable Layout custom) {
    Opening opening = new Opening(outbox, connections, custom);
    return outbox.properties().schema().mode() == SchemaMode.APPLY
        ? opening.tables(opening.prepare())
        : opening.tables(opening.unchecked(DatabaseKind.of(connections)));
  }

  /**
   * The tables of an outbox on a kind of database, unchecked.
   *
   * @param kind what the database is
   */
  static OutboxTables open(
      ConfiguredOutbox outbox, ConnectionFactory connections, DatabaseKind kind) {
    Opening opening = new Opening(outbox, connections, null);
    return opening.tables(opening.unchecked(kind));
  }

  /** The layout of an outbox on a kind of database, null while that is not known. */
  static Layout layout(
      ConfiguredOutbox outbox, @Nullable Layout custom, @Nullable DatabaseKind kind) {
    Problems problems = new Problems();
    Layout layout = TableLayout.of(outbox, custom, kind, problems);
    problems.throwIfAny();
    return layout;
  }

  /** The table and how it is used. */
  static OutboxDefinition definition(ConfiguredOutbox outbox, Layout layout) {
    OutboxProperties properties = outbox.properties();
    return OutboxDefinition.of(layout)
        .sideNames(TableLayout.sideNames(properties, layout))
        .timeRange(TableLayout.timeRange(properties))
        .onPublished(properties.onPublished())
        .limits(
            properties.database().queryTimeout(),
            Math.toIntExact(properties.limits().maxEventBytes().toBytes()))
        .applicationName("waybill " + outbox.relay());
  }

  /** From connections to tables. */
  private record Opening(
      ConfiguredOutbox outbox, ConnectionFactory connections, @Nullable Layout custom) {
    SchemaStep.Prepared prepare() {
      return new SchemaStep(connections, outbox.properties().schema(), outbox::key)
          .run(
              kind -> layout(outbox, custom, kind),
              layout -> TableLayout.sideNames(outbox.properties(), layout));
    }

    SchemaStep.Prepared unchecked(DatabaseKind kind) {
      return new SchemaStep.Prepared(kind, layout(outbox, custom, kind));
    }

    OutboxTables tables(SchemaStep.Prepared prepared) {
      return definition(outbox, prepared.layout()).open(connections, prepared.kind());
    }

    /** As the statements name it: the own table on PostgreSQL always with its schema. */
    TableName named(SchemaStep.Prepared prepared) {
      TableName table = prepared.layout().table();
      return isOwnOnPostgres(prepared) && outbox.properties().schema().name() == null
          ? new TableName("public", table.name())
          : table;
    }

    private static boolean isOwnOnPostgres(SchemaStep.Prepared prepared) {
      return Layouts.isOwn(prepared.layout()) && prepared.kind() == DatabaseKind.POSTGRESQL;
    }
  }
}
