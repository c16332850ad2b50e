package io.waybill;

import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.Subscriber;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.handler.EventHandler;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.InboxBuilder;
import io.waybill.jdbc.JdbcInboxStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Describes an inbox. A database, a broker, a source and a handler are required; everything else
 * has a default. Not thread-safe.
 */
public final class ConsumerBuilder {
  private final String consumer;
  private @Nullable ConnectionFactory connections;
  private UnaryOperator<InboxOptions> tables = UnaryOperator.identity();
  private @Nullable ConsumableBroker broker;
  private @Nullable Supplier<Subscriber> subscribers;
  private final List<String> sources = new ArrayList<>();
  private UnaryOperator<InboxBuilder> options = UnaryOperator.identity();

  ConsumerBuilder(String consumer) {
    this.consumer = Objects.requireNonNull(consumer, "consumer");
  }

  /**
   * Sets the database that handlers write to; its product is found out with the first connection.
   *
   * @param database data source; a pool must have a spare connection for each worker
   * @return this builder
   */
  public ConsumerBuilder database(DataSource database) {
    return database(ConnectionFactory.of(database));
  }

  /**
   * Sets the database that handlers write to; its product is found out with the first connection.
   *
   * @param database opens connections to it
   * @return this builder
   */
  public ConsumerBuilder database(ConnectionFactory database) {
    this.connections = Objects.requireNonNull(database, "database");
    return this;
  }

  /**
   * Changes names of the inbox's tables and limits of statements.
   *
   * @param change from {@link InboxOptions#ofDefaults()} to the options
   * @return this builder
   */
  public ConsumerBuilder tables(UnaryOperator<InboxOptions> change) {
    this.tables = Objects.requireNonNull(change, "change");
    return this;
  }

  /**
   * Sets the broker that events come from and dead letters go to.
   *
   * @param from the broker
   * @return this builder
   */
  public ConsumerBuilder broker(ConsumableBroker from) {
    this.broker = Objects.requireNonNull(from, "from");
    return this;
  }

  /**
   * Adds topics or queues that events come from.
   *
   * @param names their names
   * @return this builder
   */
  public ConsumerBuilder sources(String... names) {
    this.sources.addAll(List.of(names));
    return this;
  }

  /**
   * Sets how events are received. Default: as the broker's settings have it.
   *
   * @param creates creates a subscriber to the sources, not started
   * @return this builder
   */
  public ConsumerBuilder subscriber(Supplier<Subscriber> creates) {
    this.subscribers = Objects.requireNonNull(creates, "creates");
    return this;
  }

  /**
   * Handles all versions of a type that have no specific handler.
   *
   * @param type exact event type
   * @param handler the handler
   * @return this builder
   */
  public ConsumerBuilder handler(String type, EventHandler handler) {
    return options(inbox -> inbox.handler(type, handler));
  }

  /**
   * Sets anything else of an inbox: typed and batch handlers, retries, interceptors, limits.
   *
   * @param change changes the inbox's own builder; called once for each start
   * @return this builder
   */
  public ConsumerBuilder options(UnaryOperator<InboxBuilder> change) {
    UnaryOperator<InboxBuilder> before = options;
    this.options = inbox -> change.apply(before.apply(inbox));
    return this;
  }

  /**
   * Starts the inbox on its own threads; returns before broker, sources and database are asked. One
   * that does not answer delays the inbox: {@link RunningInbox#problem()} reports that, and also
   * that no handler was given.
   *
   * @return the running inbox
   * @throws IllegalStateException if a database, a broker or a source is missing, naming it
   * @throws IllegalArgumentException if the name of the consumer or of a source is wrong
   */
  public RunningInbox start() {
    ConnectionFactory database = required("a database", connections);
    ConsumableBroker from = required("a broker", broker);
    required("a source", sources.isEmpty() ? null : sources);
    if (subscribers == null) {
      // Not started: it checks its settings.
      from.subscriber(consumer, sources).close();
    }
    RunningInbox running =
        new RunningInbox(
            consumer, () -> from.checkSources(sources), () -> inbox(database, from).start());
    running.start();
    return running;
  }

  private InboxBuilder inbox(ConnectionFactory database, ConsumableBroker from) {
    Supplier<Subscriber> chosen = subscribers;
    InboxBuilder inbox =
        Inbox.builder()
            .name(consumer)
            .store(
                JdbcInboxStore.of(
                    database,
                    DatabaseKind.of(database),
                    consumer,
                    tables.apply(InboxOptions.ofDefaults())))
            .subscriber(chosen == null ? from.subscriber(consumer, sources) : chosen.get())
            .deadLetters(from.publisher(), from::deadLetters);
    return options.apply(inbox);
  }

  private static <T> T required(String part, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("An inbox needs " + part + ", and none was given");
    }
    return value;
  }
}
