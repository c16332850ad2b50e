package io.waybill.spring.internal.database;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OutboxTables;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.TableLayout;
import io.waybill.spring.properties.WaybillProperties.SchemaMode;
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
public record OutboxDatabase(ConfiguredOutbox outbox, DataSource source, OutboxTables tables) {

  /** Makes or compares the tables; refuses those that transactions do not write to. */
  public static OutboxDatabase open(
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
  public static OutboxTables open(
      ConfiguredOutbox outbox, ConnectionFactory connections, @Nullable Layout custom) {
    Opening opening = new Opening(outbox, connections, custom);
    return outbox.properties().schema().mode() == SchemaMode.APPLY
        ? opening.tables(opening.prepare())
        : opening.tables(opening.unchecked(DatabaseKind.of(connections)));
  }

  /**
   * The tables of an outbox on a kind of database, as they are.
   *
   * @param kind what the database is
   */
  public static OutboxTables open(
      ConfiguredOutbox outbox,
      ConnectionFactory connections,
      DatabaseKind kind,
      @Nullable Layout custom) {
    Opening opening = new Opening(outbox, connections, custom);
    return opening.tables(opening.unchecked(kind));
  }

  /** From connections to tables. */
  private record Opening(
      ConfiguredOutbox outbox, ConnectionFactory connections, @Nullable Layout custom) {
    SchemaStep.Prepared prepare() {
      return new SchemaStep(connections, outbox.properties().schema(), outbox::key)
          .run(
              kind -> TableLayout.of(outbox, custom, kind),
              layout -> TableLayout.sideNames(outbox.properties(), layout));
    }

    SchemaStep.Prepared unchecked(DatabaseKind kind) {
      return new SchemaStep.Prepared(kind, TableLayout.of(outbox, custom, kind));
    }

    OutboxTables tables(SchemaStep.Prepared prepared) {
      return TableLayout.definition(outbox, prepared.layout()).open(connections, prepared.kind());
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
