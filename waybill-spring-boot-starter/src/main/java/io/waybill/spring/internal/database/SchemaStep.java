package io.waybill.spring.internal.database;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.database.SideNames;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.observe.Finding;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates or compares the tables at start. */
final class SchemaStep {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaStep.class);

  private final ConnectionFactory connections;
  private final WaybillProperties.Schema properties;
  private final UnaryOperator<String> keys;

  /**
   * Prepares.
   *
   * @param keys how keys are written
   */
  SchemaStep(
      ConnectionFactory connections,
      WaybillProperties.Schema properties,
      UnaryOperator<String> keys) {
    this.connections = connections;
    this.properties = properties;
    this.keys = keys;
  }

  /** What the database is, and the layout of its outbox. */
  record Prepared(DatabaseKind kind, Layout layout) {}

  /** Asks the database what it is, and sees to the tables. */
  Prepared run(Function<DatabaseKind, Layout> layouts, Function<Layout, SideNames> sideNames) {
    try (Connection connection = connections.open()) {
      DatabaseKind kind = DatabaseKind.of(connection);
      Layout layout = layouts.apply(kind);
      if (properties.mode() == SchemaMode.NONE) {
        return new Prepared(kind, layout);
      }
      if (Layouts.isOwn(layout)) {
        own(connection, kind);
      } else {
        SideNames names = sideNames.apply(layout);
        beside(connection, TableSchema.of(layout, kind, names, 1), layout);
      }
      return new Prepared(kind, layout);
    } catch (SQLException e) {
      throw silent(e);
    }
  }

  /** The same for the tables of an inbox. */
  DatabaseKind inbox(InboxTables tables) {
    try (Connection connection = connections.open()) {
      DatabaseKind kind = DatabaseKind.of(connection);
      if (properties.mode() == SchemaMode.NONE) {
        return kind;
      }
      InboxSchema schema = InboxSchema.of(kind, options(connection, kind).schema(), tables);
      if (properties.mode() == SchemaMode.APPLY) {
        int applied = schema.apply(connection);
        LOG.info("The tables of the inbox are up to date, {} script(s) applied", applied);
      }
      refuse(schema.check(connection), "the inbox");
      return kind;
    } catch (SQLException e) {
      throw silent(e);
    }
  }

  private void own(Connection connection, DatabaseKind kind) throws SQLException {
    Schema schema = Schema.of(kind, options(connection, kind));
    if (properties.mode() == SchemaMode.APPLY) {
      int applied = schema.apply(connection);
      LOG.info("The tables of the outbox are up to date, {} script(s) applied", applied);
    }
    refuse(schema.check(connection), "the outbox");
  }

  private SchemaOptions options(Connection connection, DatabaseKind kind) throws SQLException {
    String given = properties.name();
    String usual = kind == DatabaseKind.POSTGRESQL ? "public" : connection.getCatalog();
    return new SchemaOptions(given == null ? usual : given, properties.lanes());
  }

  private void beside(Connection connection, TableSchema schema, Layout layout)
      throws SQLException {
    if (properties.mode() == SchemaMode.APPLY) {
      schema.apply(connection);
      LOG.info("Waybill's tables for {} are up to date", layout.table());
    }
    refuse(schema.check(connection), "Waybill's tables for " + layout.table());
  }

  private void refuse(List<Finding> all, String what) {
    List<Finding> findings =
        all.stream().filter(each -> each.severity() == Finding.Severity.REFUSE).toList();
    if (findings.isEmpty()) {
      return;
    }
    String missing =
        findings.stream()
            .map(finding -> finding.subject() + ": " + finding.detail())
            .collect(Collectors.joining("\n  - ", "\n  - ", ""));
    throw new WaybillStartException(
        "The database does not have what " + what + " needs:" + missing,
        "Set "
            + keys.apply("schema.mode")
            + "=apply to create the tables at start, or run the script that docs/spring-boot.md"
            + " names through Flyway or Liquibase. With "
            + keys.apply("schema.mode")
            + "=none Waybill does not compare them.",
        null);
  }

  private WaybillStartException silent(SQLException e) {
    return new WaybillStartException(
        "Waybill cannot reach its tables ("
            + keys.apply("schema.mode")
            + "="
            + properties.mode().name().toLowerCase(Locale.ROOT)
            + "): "
            + e.getMessage(),
        "Start the database, or correct the data source's URL, user, password and privileges.",
        e);
  }
}
