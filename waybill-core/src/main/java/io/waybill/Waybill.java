package io.waybill;

import io.waybill.broker.Publisher;
import io.waybill.encode.MessageMapper;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOptions;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.jdbc.dialect.AppendDialect;
import io.waybill.message.EventLimits;
import io.waybill.observe.HealthLimits;
import io.waybill.observe.OutboxHealth;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.CommitNudge;
import io.waybill.outbox.Outbox;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.RelayRules;
import io.waybill.work.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An outbox and a relay in one process: append events in business transactions, and the relay
 * carries them to the broker.
 *
 * <pre>{@code
 * Waybill waybill =
 *     Waybill.builder()
 *         .name("orders-1")
 *         .postgres(ConnectionFactory.of(dataSource))
 *         .publisher(() -> new KafkaPublisher(config))
 *         .mapper(mapper)
 *         .start();
 * }</pre>
 *
 * Thread-safe. The relay opens three connections, and two more with {@link Builder#notifications}.
 */
public final class Waybill implements AutoCloseable {
  private final Outbox outbox;
  private final Supervisor supervisor;
  private final OutboxHealth health;

  private Waybill(Outbox outbox, Supervisor supervisor, OutboxHealth health) {
    this.outbox = outbox;
    this.supervisor = supervisor;
    this.health = health;
  }

  /**
   * Starts collecting the parts.
   *
   * @return a builder without parts
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The write API. Its {@link Outbox#committed()} wakes the relay of this process.
   *
   * @return the outbox
   */
  public Outbox outbox() {
    return outbox;
  }

  /**
   * Whether the relay makes progress, and if not, why.
   *
   * @return health of the relay, for probes and alerts
   */
  public OutboxHealth health() {
    return health;
  }

  /**
   * Stops gracefully; see {@link io.waybill.relay.Relay#stop(Duration)}.
   *
   * @param grace longest time to wait
   * @return whether everything was settled and released in time
   */
  public boolean stop(Duration grace) {
    return supervisor.stop(grace);
  }

  /** Stops within ten seconds. */
  @Override
  public void close() {
    stop(Duration.ofSeconds(10));
  }

  /** Collects the parts. Not thread-safe. */
  public static final class Builder {
    private String name = "relay-" + ProcessHandle.current().pid();
    private @Nullable ConnectionFactory connections;
    private @Nullable OutboxTables tables;
    private @Nullable AppendDialect append;
    private PostgresOptions options = PostgresOptions.defaults();
    private @Nullable Supplier<? extends Publisher> publishers;
    private @Nullable RelayRules rules;
    private EventLimits limits = EventLimits.ofDefaults();
    private RelayListener listener = RelayListener.NONE;
    private UnaryOperator<EngineSettings> settings = UnaryOperator.identity();
    private @Nullable Duration notificationPause;

    private Builder() {}

    /**
     * Names the relay, for logs, threads and the session table. Default: derived from the process
     * id.
     *
     * @param name name of the relay
     * @return this
     */
    public Builder name(String name) {
      this.name = Objects.requireNonNull(name, "name");
      return this;
    }

    /**
     * Uses Waybill's own table on PostgreSQL. This or {@link #tables} is required.
     *
     * @param connections opens connections to PostgreSQL
     * @return this
     */
    public Builder postgres(ConnectionFactory connections) {
      this.connections = Objects.requireNonNull(connections, "connections");
      return this;
    }

    /**
     * Uses an outbox of any layout, on any supported database, in place of {@link #postgres}.
     *
     * @param tables for example a {@link io.waybill.jdbc.LayoutOutbox}
     * @return this
     */
    public Builder tables(OutboxTables tables) {
      this.tables = Objects.requireNonNull(tables, "tables");
      return this;
    }

    /**
     * Sets how events are written. Default: {@link OutboxTables#append()}.
     *
     * @param dialect writes into the table that the relay reads
     * @return this
     */
    public Builder append(AppendDialect dialect) {
      this.append = Objects.requireNonNull(dialect, "dialect");
      return this;
    }

    /**
     * Sets how an outbox given by {@link #postgres} is used. Default: {@link
     * PostgresOptions#defaults()}.
     *
     * @param options schema, what happens to published rows, limits
     * @return this
     */
    public Builder options(PostgresOptions options) {
      this.options = Objects.requireNonNull(options, "options");
      return this;
    }

    /**
     * Sets the broker. Required. A relay starts and closes its publisher; a relay that is started
     * again after a failure gets a new one.
     *
     * @param publishers creates a publisher for the broker, not started
     * @return this
     */
    public Builder publisher(Supplier<? extends Publisher> publishers) {
      this.publishers = Objects.requireNonNull(publishers, "publishers");
      return this;
    }

    /**
     * Sets how a row becomes a message, with default retries and failure policy. This or {@link
     * #rules} is required.
     *
     * @param mapper from rows to messages
     * @return this
     */
    public Builder mapper(MessageMapper mapper) {
      return rules(RelayRules.ofDefaults(mapper));
    }

    /**
     * Sets what is sent where, and what happens to failures.
     *
     * @param rules mapping, retries, failure policies
     * @return this
     */
    public Builder rules(RelayRules rules) {
      this.rules = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Sets the limits of events. Default: {@link EventLimits#ofDefaults()}.
     *
     * @param limits the limits, checked before each insert
     * @return this
     */
    public Builder limits(EventLimits limits) {
      this.limits = Objects.requireNonNull(limits, "limits");
      return this;
    }

    /**
     * Sets the listener for the relay's events. Default: none.
     *
     * @param listener thread-safe and quick
     * @return this
     */
    public Builder listener(RelayListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Changes bounds and intervals. Default: {@link EngineSettings#defaults} with the polling of
     * the tables.
     *
     * @param change from the defaults for the publisher to the settings
     * @return this
     */
    public Builder settings(UnaryOperator<EngineSettings> change) {
      this.settings = Objects.requireNonNull(change, "change");
      return this;
    }

    /**
     * Lets {@link Outbox#committed()} wake relays in other processes too, and lets other processes
     * wake this relay. Default: relays in other processes find events by polling. For {@link
     * #postgres} only.
     *
     * @param pause shortest time between two notifications, from 1 ms to 1 minute
     * @return this
     */
    public Builder notifications(Duration pause) {
      this.notificationPause = Objects.requireNonNull(pause, "pause");
      return this;
    }

    /**
     * Starts the relay, on its own threads. A relay that fails is started again, after growing
     * pauses of up to half a minute; {@link Waybill#health()} reports that.
     *
     * @return the running outbox and relay
     * @throws IllegalStateException if a required part is missing or two exclude each other, naming
     *     them
     * @throws IllegalArgumentException if settings contradict each other
     */
    public Waybill start() {
      Supplier<? extends Publisher> brokers = required("publisher", publishers);
      RelayRules how = required("mapper or rules", rules);
      OutboxTables from = chosen();
      Publisher first = brokers.get();
      EngineSettings bounds =
          settings.apply(
              EngineSettings.defaults(first.deliveryTimeout(), first.maxInFlightPerKey())
                  .polling(from.polling()));
      OutboxHealth health =
          new OutboxHealth(
              name,
              HealthLimits.of(bounds.lease(), bounds.viewInterval(), bounds.deliveryTimeout()),
              Ticker.SYSTEM::nanos);
      RelayListener told = RelayListener.all(List.of(listener, health));
      EmbeddedRelay relay =
          new EmbeddedRelay(
              new EmbeddedRelay.Parts(name, from, brokers, bounds, how, told, notificationPause),
              first);
      Supervisor supervisor =
          new Supervisor(
              "relay " + name, relay, Supervisor.AfterFailure.RESTART, Supervisor.telling(told));
      supervisor.start();
      return new Waybill(outbox(from, relay), supervisor, health);
    }

    private OutboxTables chosen() {
      if (tables == null) {
        return PostgresOutbox.of(required("postgres or tables", connections), options);
      }
      if (connections != null) {
        throw new IllegalStateException(
            "Waybill takes either postgres or tables, but both were given");
      }
      if (notificationPause != null && !(tables instanceof PostgresOutbox)) {
        throw new IllegalStateException(
            "Notifications need Waybill's own table on PostgreSQL, but other tables were given");
      }
      return tables;
    }

    private Outbox outbox(OutboxTables from, CommitNudge nudge) {
      return new Outbox(append == null ? from.append() : append, limits, nudge);
    }

    private static <T> T required(String part, @Nullable T value) {
      if (value == null) {
        throw new IllegalStateException("Waybill needs " + part + ", and none was given");
      }
      return value;
    }
  }
}
