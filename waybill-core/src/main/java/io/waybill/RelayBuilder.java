package io.waybill;

import io.waybill.broker.Broker;
import io.waybill.broker.Publisher;
import io.waybill.database.AppendDialect;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.encode.Format;
import io.waybill.internal.jdbc.operator.RetentionSql;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.relay.RelayRoutes;
import io.waybill.route.Route;
import io.waybill.work.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Describes an outbox and its relay. An outbox, a broker and a route are required; everything else
 * has a default. Not thread-safe.
 */
public final class RelayBuilder {
  // Names of settings in start-up checks, as this builder has them.
  private static final Map<String, String> METHODS =
      Map.of(
          "limits.lease", "settings (lease)",
          "limits.max-bytes", "settings (maxBytes)",
          "grace-period", "gracePeriod",
          "failure.dead-letter.target", "failure (deadLetter)",
          "time-range.until", "table (timeRange)");

  private final String name;
  private @Nullable ConnectionFactory connections;
  private @Nullable OutboxTables tables;
  private UnaryOperator<OutboxDefinition> table = UnaryOperator.identity();
  private boolean tableGiven;
  private @Nullable AppendDialect append;
  private Preset preset = Preset.WAYBILL;
  private @Nullable Layout layout;
  private @Nullable Duration retention;
  private boolean listen;
  private @Nullable Duration notificationPause;
  private @Nullable Broker broker;
  private UnaryOperator<Publisher> decorator = UnaryOperator.identity();
  private @Nullable Route byDefault;
  private Format format = Format.RAW;
  private boolean formatGiven;
  private final Map<String, Route> routes = new LinkedHashMap<>();
  private final Map<String, Format> formats = new LinkedHashMap<>();
  private @Nullable String source;
  private RetryPolicy retry = RetryPolicy.ofDefaults();
  private @Nullable FailurePolicy failure;
  private final Map<String, FailurePolicy> failures = new TreeMap<>();
  private @Nullable Function<String, FailurePolicy> anyFailure;
  private UnaryOperator<EngineSettings> settings = UnaryOperator.identity();
  private EventLimits limits = EventLimits.ofDefaults();
  private RelayListener listener = RelayListener.NONE;
  private Duration gracePeriod = Duration.ofSeconds(20);
  private boolean warnOnly;

  RelayBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * Sets the database of the outbox; its product is found out with the first connection.
   *
   * @param database data source; a pool must have at least three spare connections
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
    this.connections = Objects.requireNonNull(database, "database");
    return this;
  }

  /**
   * Uses tables that are opened already, in place of {@link #outbox(DataSource)}.
   *
   * @param opened tables of any layout, on any supported database
   * @return this builder
   */
  public RelayBuilder tables(OutboxTables opened) {
    this.tables = Objects.requireNonNull(opened, "opened");
    return this;
  }

  /**
   * Adopts a table that Waybill knows by name, with its documented route, format and failure
   * policy. Default: {@link Preset#WAYBILL}.
   *
   * @param known the table
   * @return this builder
   */
  public RelayBuilder preset(Preset known) {
    this.preset = Objects.requireNonNull(known, "known");
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
    this.layout = Objects.requireNonNull(adopted, "adopted");
    return this;
  }

  /**
   * Changes how the table is used: names of side tables, time range, limits of statements and rows.
   *
   * @param change from the defaults to the definition
   * @return this builder
   */
  public RelayBuilder table(UnaryOperator<OutboxDefinition> change) {
    this.table = Objects.requireNonNull(change, "change");
    this.tableGiven = true;
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
    this.retention = Objects.requireNonNull(age, "age");
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
    this.listen = true;
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
   * Sets the Kafka topic or RabbitMQ exchange of all event types without a specific route. A
   * RabbitMQ exchange gets an empty routing key; see {@link #route(Route)} for others.
   *
   * @param target template of the name, for example {@code {aggregateType|lower}-events}
   * @return this builder
   * @throws io.waybill.route.InvalidRouteException if the template is wrong
   */
  public RelayBuilder route(String target) {
    return route(Route.to(target).build());
  }

  /**
   * Sets the route of all event types without a specific route.
   *
   * @param route the route
   * @return this builder
   */
  public RelayBuilder route(Route route) {
    this.byDefault = Objects.requireNonNull(route, "route");
    return this;
  }

  /**
   * Sets the route of one event type, in the format of {@link #format(Format)}.
   *
   * @param eventType exact event type
   * @param route the route
   * @return this builder
   */
  public RelayBuilder route(String eventType, Route route) {
    routes.put(Objects.requireNonNull(eventType, "eventType"), route);
    return this;
  }

  /**
   * Sets the form of messages. Default: raw; a preset's own route has the preset's format.
   *
   * @param form the format
   * @return this builder
   */
  public RelayBuilder format(Format form) {
    this.format = Objects.requireNonNull(form, "form");
    this.formatGiven = true;
    return this;
  }

  /**
   * Sets the form of messages of one event type.
   *
   * @param eventType exact event type, which has a route
   * @param form the format
   * @return this builder
   */
  public RelayBuilder format(String eventType, Format form) {
    formats.put(Objects.requireNonNull(eventType, "eventType"), form);
    return this;
  }

  /**
   * Names the source of events in formats that have one.
   *
   * @param name name of the service: a URI reference
   * @return this builder
   */
  public RelayBuilder source(String name) {
    this.source = Objects.requireNonNull(name, "name");
    return this;
  }

  /**
   * Sets when a rejected event is tried again, and how often. Default: {@link
   * RetryPolicy#ofDefaults()}.
   *
   * @param policy backoff and attempt limit
   * @return this builder
   */
  public RelayBuilder retry(RetryPolicy policy) {
    this.retry = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * Sets what happens to an event whose attempts are used up. Default: the preset's, or it is
   * parked.
   *
   * @param policy the policy
   * @return this builder
   */
  public RelayBuilder failure(FailurePolicy policy) {
    this.failure = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * Sets what happens to failed events of one destination.
   *
   * @param destination its name: the topic, or {@code exchange/routing-key}
   * @param policy the policy
   * @return this builder
   */
  public RelayBuilder failure(String destination, FailurePolicy policy) {
    failures.put(Objects.requireNonNull(destination, "destination"), policy);
    return this;
  }

  /**
   * Sets what happens to failed events of destinations that are not known beforehand. Start-up
   * checks do not look at its dead letters.
   *
   * @param byDestination from a destination's name to its policy; the empty name stands for events
   *     without a route
   * @return this builder
   */
  public RelayBuilder failures(Function<String, FailurePolicy> byDestination) {
    this.anyFailure = Objects.requireNonNull(byDestination, "byDestination");
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
    Supplier<OutboxTables> opened = opened();
    UnaryOperator<Publisher> around = decorator;
    RelayDefinition relay =
        new RelayDefinition(
            name,
            name,
            opened,
            required("a broker", broker),
            (publisher, client) -> around.apply(publisher),
            relayRoutes(),
            settings,
            retention,
            listen,
            notificationPause,
            gracePeriod,
            listener);
    requireSound(relay);
    StartChecks checks =
        new StartChecks(
            relay,
            until(),
            relay.bounds().maxBytes(),
            List::of,
            name -> METHODS.getOrDefault(name, name),
            WallClock.SYSTEM);
    return Waybill.start(checks, warnOnly, written(), limits);
  }

  /** Refuses, before anything is asked, a description that no relay could follow. */
  private void requireSound(RelayDefinition relay) {
    Objects.requireNonNull(relay.routes().rules(), "rules");
    relay.broker().require(relay.routes().templates());
    if (tables == null && retention != null && !Layouts.isOwn(defined().layout())) {
      String refusal = RetentionSql.refusal(defined().layout());
      if (refusal != null) {
        throw new IllegalArgumentException("retention must be left out: " + refusal);
      }
    }
    if (notificationPause != null) {
      CommitNotifier.checkPause(notificationPause);
    }
  }

  private Supplier<OutboxTables> opened() {
    OutboxTables given = tables;
    if (given != null) {
      requireNothingBesides(given);
      return () -> given;
    }
    ConnectionFactory database = required("an outbox", connections);
    OutboxDefinition defined = defined();
    if (listen && !Layouts.isOwn(defined.layout())) {
      throw new IllegalStateException(
          "Notifications need Waybill's own table on PostgreSQL, but the layout is "
              + defined.layout().name());
    }
    return new Opened(() -> defined.open(database, DatabaseKind.of(database)));
  }

  private void requireNothingBesides(OutboxTables given) {
    if (connections != null) {
      throw new IllegalStateException("A relay takes either outbox or tables, but both were given");
    }
    if (layout != null || tableGiven) {
      throw new IllegalStateException(
          "Opened tables have their layout and options: layout and table must be left out");
    }
    if (listen && !(given instanceof PostgresOutbox)) {
      throw new IllegalStateException(
          "Notifications need Waybill's own table on PostgreSQL, but other tables were given");
    }
  }

  /** The dialect that writes events: the given one, or that of the tables. */
  private LateAppend written() {
    AppendDialect given = append == null && tables != null ? tables.append() : append;
    if (given != null) {
      return new LateAppend(connection -> given);
    }
    ConnectionFactory database = required("an outbox", connections);
    OutboxDefinition defined = defined();
    return new LateAppend(
        connection -> defined.open(database, DatabaseKind.of(connection)).append());
  }

  private OutboxDefinition defined() {
    OutboxDefinition usual =
        OutboxDefinition.of(layout == null ? preset.layout() : layout)
            .applicationName("waybill " + name);
    return table.apply(retention == null ? usual : usual.onPublished(OnPublished.KEEP));
  }

  private @Nullable Instant until() {
    return tables == null ? defined().timeRange().until() : null;
  }

  private RelayRoutes relayRoutes() {
    Transport transport = required("a broker", broker).transport();
    RelayRoutes.Builder all =
        RelayRoutes.builder(transport)
            .source(source)
            .limits(accepted())
            .retry(retry)
            .failure(failure == null ? preset.failure() : failure);
    failures.forEach(all::failure);
    if (anyFailure != null) {
      all.failures(anyFailure);
    }
    Preset.DefaultRoute usual = preset.route(transport);
    if (byDefault != null) {
      all.byDefault(byDefault, format);
    } else if (usual != null) {
      all.byDefault(usual.route(), formatGiven ? format : usual.format());
    } else if (routes.isEmpty()) {
      throw new IllegalStateException("A relay needs a route, and none was given");
    }
    routes.forEach((type, to) -> all.forType(type, to, formats.getOrDefault(type, format)));
    return all.build();
  }

  /** Rows may be of other writers, which have the default limits. */
  private EventLimits accepted() {
    EventLimits usual = EventLimits.ofDefaults();
    return new EventLimits(
        Math.max(limits.maxPayloadBytes(), usual.maxPayloadBytes()),
        Math.max(limits.maxHeaders(), usual.maxHeaders()),
        Math.max(limits.maxHeaderValueBytes(), usual.maxHeaderValueBytes()),
        Math.max(limits.maxHeadersBytes(), usual.maxHeadersBytes()),
        limits.jsonChecked());
  }

  private static <T> T required(String part, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("A relay needs " + part + ", and none was given");
    }
    return value;
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
