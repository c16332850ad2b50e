package io.waybill.spring.internal.standalone;

import io.waybill.admin.Admin;
import io.waybill.broker.Broker;
import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Publisher;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OutboxTables;
import io.waybill.database.SideNames;
import io.waybill.internal.route.Routes;
import io.waybill.internal.sql.DriverRules;
import io.waybill.internal.start.RelayDefinition;
import io.waybill.internal.start.StartChecks;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import io.waybill.observe.RelayListener;
import io.waybill.spring.internal.broker.OutboxRoute;
import io.waybill.spring.internal.database.OutboxDatabase;
import io.waybill.spring.internal.keys.ConfigChecks;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.Outboxes;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.internal.keys.TableLayout;
import io.waybill.spring.properties.WaybillProperties;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;

/** One outbox of a standalone relay's configuration, for a command line. Thread-safe. */
public final class StandaloneOutbox {
  private final ConfiguredOutbox outbox;
  private final OutboxRoute route;
  private final StartChecks checks;
  private final ConnectionFactory connections;

  private StandaloneOutbox(
      ConfiguredOutbox outbox,
      OutboxRoute route,
      StartChecks checks,
      ConnectionFactory connections) {
    this.outbox = outbox;
    this.route = route;
    this.checks = checks;
    this.connections = connections;
  }

  static StandaloneOutbox of(
      Outboxes outboxes,
      ConfiguredOutbox outbox,
      OutboxRoute route,
      WaybillProperties.Relay process,
      ConnectionFactory connections) {
    RelayDefinition definition =
        route.definition(
            outbox,
            () -> OutboxDatabase.open(outbox, connections, kind(outbox, connections), null),
            (publisher, client) -> publisher,
            null,
            process,
            RelayListener.NONE);
    return new StandaloneOutbox(
        outbox, route, ConfigChecks.of(outboxes, outbox, definition, name -> null), connections);
  }

  /**
   * Its name.
   *
   * @return as in the configuration
   */
  public String name() {
    return outbox.name();
  }

  /**
   * Where its database is.
   *
   * @return JDBC URL without parameters
   */
  public String url() {
    return fullUrl().replaceFirst("[?].*", "");
  }

  private String fullUrl() {
    return url(outbox);
  }

  private static String url(ConfiguredOutbox outbox) {
    return Objects.requireNonNull(outbox.properties().database().url());
  }

  private static boolean isPostgres(ConfiguredOutbox outbox) {
    return DriverRules.of(url(outbox)) == DriverRules.POSTGRESQL;
  }

  private static DatabaseKind kind(ConfiguredOutbox outbox, ConnectionFactory connections) {
    return isPostgres(outbox) ? DatabaseKind.POSTGRESQL : DatabaseKind.of(connections);
  }

  /**
   * Connections to its database.
   *
   * @return factory; each new connection uses the current password
   */
  public ConnectionFactory connections() {
    return connections;
  }

  /**
   * Whether the URL leads to PostgreSQL.
   *
   * @return false for MySQL and MariaDB
   */
  public boolean isPostgres() {
    return isPostgres(outbox);
  }

  /**
   * The product of its database; a connection distinguishes MySQL from MariaDB.
   *
   * @return the product
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public DatabaseKind kind() {
    return kind(outbox, connections);
  }

  /**
   * Schema of its tables.
   *
   * @return plain name; on MySQL and MariaDB a database
   */
  public String schema() {
    String given = outbox.properties().schema().name();
    if (given != null) {
      return given;
    }
    Matcher parts = DriverRules.of(fullUrl()).url().matcher(fullUrl());
    return !isPostgres() && parts.matches() ? parts.group(3) : "public";
  }

  /**
   * Number of lanes of new tables.
   *
   * @return 1 to 1024
   */
  public int lanes() {
    return outbox.properties().schema().lanes();
  }

  /**
   * Whether the table is Waybill's own.
   *
   * @return false for an adopted table
   */
  public boolean isOwn() {
    return Layouts.isOwn(layout());
  }

  /**
   * Which column of the table holds what.
   *
   * @return the layout, with the name of the table
   */
  public Layout layout() {
    return TableLayout.of(
        outbox, null, isPostgres() ? DatabaseKind.POSTGRESQL : null, new Problems());
  }

  /**
   * Names of Waybill's tables for an adopted one.
   *
   * @return names
   */
  public SideNames sideNames() {
    return TableLayout.sideNames(outbox.properties(), layout());
  }

  /**
   * Opens the view and the requests of operators.
   *
   * @return admin with its own connection; to be closed
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public Admin admin() {
    return tables().admin();
  }

  private OutboxTables tables() {
    return OutboxDatabase.open(outbox, connections, kind(), null);
  }

  /**
   * Checks database, broker and settings as a relay does before it begins, without changing
   * anything.
   *
   * @return findings, none if all is well
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public List<Finding> check() {
    return checks.run();
  }

  /** The same with a clock of this machine. */
  List<Finding> check(Clock clock) {
    return checks.clock(clock).run();
  }

  /**
   * The routes of its events.
   *
   * @return routes
   */
  public Routes routes() {
    return route.settings().relayRoutes().routes();
  }

  /**
   * The destinations of all routes, those of buried events included.
   *
   * @return destinations, with fields of templates in braces
   */
  public List<Destination> destinations() {
    return route.settings().relayRoutes().all();
  }

  /**
   * The broker.
   *
   * @return as the configuration has it
   */
  public Broker broker() {
    return route.broker();
  }

  /**
   * Kind of the broker.
   *
   * @return the kind
   */
  public Transport transport() {
    return route.broker().transport();
  }

  /**
   * Creates a publisher for the broker.
   *
   * @return publisher, to be started and closed
   */
  public Publisher publisher() {
    return route.broker().publisher();
  }

  /**
   * Opens the dead letters of consumers on the broker.
   *
   * @param name topic or queue of the dead letters
   * @return reader, to be closed
   * @throws io.waybill.broker.DeadLetterAccessException if the broker does not answer or has none
   */
  public DeadLetterReader deadLetters(String name) {
    return ((ConsumableBroker) route.broker()).deadLetterReader(name, null);
  }
}
