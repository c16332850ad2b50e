package io.waybill;

import io.waybill.broker.Broker;
import io.waybill.broker.Publisher;
import io.waybill.database.AppendDialect;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.OutboxTables;
import io.waybill.internal.start.RelayDefinition;
import io.waybill.internal.start.StartChecks;
import io.waybill.internal.work.WallClock;
import io.waybill.jdbc.CommitNotifier;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.layout.Layout;
import io.waybill.message.EventLimits;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.policy.EngineSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Describes an outbox and its relay. An outbox, a broker and a route are required; everything else
 * has a default. Not thread-safe.
 */
public final class RelayBuilder extends RouteBuilder<RelayBuilder> {
  // Names of settings in start-up checks, as this builder has them.
  private static final Map<String, String> METHODS =
      Map.of(
          "limits.lease", "settings (lease)",
          "limits.max-bytes", "settings (maxBytes)",
          "grace-period", "gracePeriod",
          "failure.policy", "failure",
          "failure.dead-letter.target", "failure (deadLetter)",
          "time-range.until", "table (timeRange)");

  private final String name;
  private final DescribedTable table;
  private @Nullable AppendDialect append;
  private @Nullable Duration notificationPause;
  private @Nullable Broker broker;
  private UnaryOperator<Publisher> decorator = UnaryOperator.identity();
  private UnaryOperator<EngineSettings> settings = UnaryOperator.identity();
  private EventLimits limits = EventLimits.ofDefaults();
  private RelayListener listener = RelayListener.NONE;
  private Duration gracePeriod = Duration.ofSeconds(20);
  private Duration history = Duration.ofDays(14);
  private boolean warnOnly;

  RelayBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
    this.table = new DescribedTable(name);
  }

  @Override
  RelayBuilder self() {
    return this;
  }

  /**
   * Sets the database of the outbox; its product is found out with the first connection.
   *
   * @param database data source; a pool must have at least four spare connections
   * @return this builder
   */
  public RelayBuilder outbox(DataSource database) {
    return outbox(ConnectionFactory.of(database));
  }

  /**
   * Sets the database of the outbox; its product is found out with the first connection.
   *
   * @param database opens connections to it
   * @return this builder
   */
  public RelayBuilder outbox(ConnectionFactory database) {
    table.connections = Objects.requireNonNull(database, "database");
    return this;
  }

  /**
   * Uses tables that are opened already, in place of {@link #outbox(DataSource)}.
   *
   * @param opened tables of any layout, on any supported database
   * @return this builder
   */
  public RelayBuilder tables(OutboxTables opened) {
    table.given = Objects.requireNonNull(opened, "opened");
    return this;
  }

  /**
   * Adopts an outbox that Waybill knows by name, with what its documents say: table, pace, route,
   * format, queues and failure policy. Settings of this builder replace it; with another default
   * route the queues of the preset are not declared. Default: {@link Preset#WAYBILL}.
   *
   * @param known the outbox
   * @return this builder
   */
  public RelayBuilder preset(Preset known) {
    table.preset = Objects.requireNonNull(known, "known");
    return this;
  }

  /**
   * Uses another table with the route, format and failure policy of {@link #preset}, for example
   * one with a different name. Default: the preset's.
   *
   * @param adopted which column holds what, and the name of the table
   * @return this builder
   */
  public RelayBuilder layout(Layout adopted) {
    table.layout = Objects.requireNonNull(adopted, "adopted");
    return this;
  }

  /**
   * Changes how the table is used: names of side tables, time range, limits of statements and rows.
   *
   * @param change from the defaults to the definition
   * @return this builder
   */
  public RelayBuilder table(UnaryOperator<OutboxDefinition> change) {
    table.change = Objects.requireNonNull(change, "change");
    return this;
  }

  /**
   * Keeps published rows for a while, and removes them after it. Default: rows of Waybill's own
   * table are deleted when they are published; those of an adopted table are never removed.
   *
   * @param age how long published rows stay
   * @return this builder
   */
  public RelayBuilder retention(Duration age) {
    table.retention = Objects.requireNonNull(age, "age");
    return this;
  }

  /**
   * Sets how events are written. Default: {@link OutboxTables#append()}.
   *
   * @param dialect writes into the table that the relay reads
   * @return this builder
   */
  public RelayBuilder append(AppendDialect dialect) {
    this.append = Objects.requireNonNull(dialect, "dialect");
    return this;
  }

  /**
   * Lets {@link Outbox#committed()} wake relays in other processes too, and lets other processes
   * wake this relay. Default: relays in other processes find events by polling. For Waybill's own
   * table on PostgreSQL only.
   *
   * @param pause shortest time between two notifications, from 1 ms to 1 minute
   * @return this builder
   */
  public RelayBuilder notifications(Duration pause) {
    this.notificationPause = Objects.requireNonNull(pause, "pause");
    return this;
  }

  /**
   * Sets the broker. A relay that is started again after a failure gets a new publisher of it.
   *
   * @param to destination of events
   * @return this builder
   */
  public RelayBuilder broker(Broker to) {
    this.broker = Objects.requireNonNull(to, "to");
    return this;
  }

  /**
   * Puts something around each publisher of the broker, for example to trace sends.
   *
   * @param around from a publisher to the one that is used
   * @return this builder
   */
  public RelayBuilder decoratePublisher(UnaryOperator<Publisher> around) {
    this.decorator = Objects.requireNonNull(around, "around");
    return this;
  }

  /**
   * Changes bounds and intervals. Default: {@link EngineSettings#defaults} with the polling of the
   * tables.
   *
   * @param change from the defaults for the publisher to the settings
   * @return this builder
   */
  public RelayBuilder settings(UnaryOperator<EngineSettings> change) {
    this.settings = Objects.requireNonNull(change, "change");
    return this;
  }

  /**
   * Sets the limits of events. Default: {@link EventLimits#ofDefaults()}.
   *
   * @param checked the limits, checked before each insert
   * @return this builder
   */
  public RelayBuilder limits(EventLimits checked) {
    this.limits = Objects.requireNonNull(checked, "checked");
    return this;
  }

  /**
   * Sets the listener for the relay's events. Default: none.
   *
   * @param receiver thread-safe and quick
   * @return this builder
   */
  public RelayBuilder listener(RelayListener receiver) {
    this.listener = Objects.requireNonNull(receiver, "receiver");
    return this;
  }

  /**
   * Sets how long {@link Waybill#close()} waits for events in flight. Default: 20 s.
   *
   * @param grace longest time to wait
   * @return this builder
   */
  public RelayBuilder gracePeriod(Duration grace) {
    this.gracePeriod = Objects.requireNonNull(grace, "grace");
    return this;
  }

  /**
   * Sets how long it is kept what relays did in each minute, for {@code waybill history} and for
   * the rate that {@code waybill status} shows. Each relay adds to it once a minute, over a
   * connection that it has for a moment. Default: 14 days.
   *
   * @param kept how long; zero for no history
   * @return this builder
   */
  public RelayBuilder history(Duration kept) {
    if (kept.isNegative()) {
      throw new IllegalArgumentException("history must not be negative, but is " + kept);
    }
    this.history = kept;
    return this;
  }

  /**
   * Logs a warning and starts although a start-up check found that events can be lost. Default:
   * {@link #start()} fails.
   *
   * @return this builder
   */
  public RelayBuilder warnOnly() {
    this.warnOnly = true;
    return this;
  }

  /**
   * Checks database, broker and settings, and starts the relay on its own threads. A database or
   * broker that does not answer delays the relay, not this call: {@link Waybill#health()} reports
   * what it waits for. A relay that fails is started again, after growing pauses of up to half a
   * minute.
   *
   * @return the running outbox and relay
   * @throws StartRefusedException if a start-up check found that events can be lost
   * @throws IllegalStateException if a required part is missing or two exclude each other, naming
   *     them
   * @throws IllegalArgumentException if settings contradict each other
   */
  public Waybill start() {
    boolean listen = notificationPause != null;
    Supplier<OutboxTables> opened = table.opened(listen);
    Broker given = declaring(required("a broker", broker), table.preset);
    Broker to = table.isAdopted() ? given.forAdoptedTable() : given;
    UnaryOperator<String> names = name -> METHODS.getOrDefault(name, name);
    UnaryOperator<Publisher> around = decorator;
    RelayDefinition relay =
        new RelayDefinition(
            name,
            name,
            opened,
            to,
            (publisher, client) -> around.apply(publisher),
            routes(to.transport(), table.preset, limits),
            settings,
            table.retention,
            listen,
            notificationPause,
            gracePeriod,
            history,
            listener);
    requireSound(relay);
    StartChecks checks =
        new StartChecks(
            relay,
            table.until(),
            relay.bounds().maxBytes(),
            () -> order(table.preset, names),
            names,
            WallClock.SYSTEM);
    return Waybill.start(checks, warnOnly, table.written(append), limits);
  }

  /** Refuses, before anything is asked, a description that no relay could follow. */
  private void requireSound(RelayDefinition relay) {
    Objects.requireNonNull(relay.routes().rules(), "rules");
    relay.broker().require(relay.routes().templates());
    table.requireRetainable();
    if (notificationPause != null) {
      CommitNotifier.checkPause(notificationPause);
    }
  }

  static <T> T required(String part, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("A relay needs " + part + ", and none was given");
    }
    return value;
  }
}
