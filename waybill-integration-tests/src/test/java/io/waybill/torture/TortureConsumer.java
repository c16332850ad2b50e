package io.waybill.torture;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.handler.PermanentException;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.InboxBuilder;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.policy.InboxSettings;
import io.waybill.policy.InboxSettings.Deferred;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import io.waybill.store.InboxStore;
import io.waybill.torture.planted.ConsumerBug;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A consumer process with an inbox, whose handlers write a row for each event in the inbox's
 * transaction. Arguments: database product, JDBC URL, broker, its address, topics or queues, and
 * the version of the handlers; perhaps a bug. The database's password is in the environment.
 */
public final class TortureConsumer {
  /** The group of the subscribers of Kafka, and the consumer's name in the database. */
  static final String GROUP = "torture";

  static final String PASSWORD = "TORTURE_PASSWORD";
  static final String UNTIL = "torture-until";
  static final String NEED = "torture-need";

  private static final Duration GRACE = Duration.ofSeconds(25);
  private static final Duration CLAIM = Duration.ofSeconds(20);
  private static final int MOST_MILLIS = 300;

  private final int version;
  private final ConsumerBug bug;

  private TortureConsumer(int version, ConsumerBug bug) {
    this.version = version;
    this.bug = bug;
  }

  /**
   * Runs until the process is killed, or stops in order on SIGTERM.
   *
   * @param args see above
   * @throws InterruptedException never, in effect
   */
  public static void main(String[] args) throws InterruptedException {
    ConsumerBug bug = args.length > 6 ? ConsumerBug.valueOf(args[6]) : ConsumerBug.NONE;
    TortureConsumer consumer = new TortureConsumer(Integer.parseInt(args[5]), bug);
    DatabaseKind kind = DatabaseKind.valueOf(args[0]);
    ConnectionFactory connections = connections(kind, args[1]);
    Transport transport = Transport.valueOf(args[2]);
    InboxStore store = JdbcInboxStore.of(connections, kind, GROUP, InboxOptions.ofDefaults());
    InboxBuilder builder =
        Inbox.builder()
            .store(bug.store(store))
            .subscriber(bug.subscriber(subscriber(transport, args[3], List.of(args[4].split(",")))))
            .deadLetters(letters(transport, args[3]), transport)
            .handlerTimeout(CLAIM.dividedBy(2))
            .settings(TortureConsumer::settings)
            .errors(bug.errors());
    for (EventKind event : EventKind.values()) {
      builder.handler(
          event.type(),
          (received, connection) -> consumer.handle(received, connection, connections));
    }
    Inbox inbox = builder.start();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(inbox.stop(GRACE) ? 0 : 1)));
    new CountDownLatch(1).await();
  }

  /** What a killed consumer has claimed is soon another one's, and a frozen one loses it. */
  private static InboxSettings settings(InboxSettings defaults) {
    Deferred deferred = defaults.deferred();
    return defaults.deferred(new Deferred(deferred.poll(), deferred.limit(), CLAIM));
  }

  private static ConnectionFactory connections(DatabaseKind kind, String url) {
    Properties properties = new Properties();
    properties.setProperty("user", TortureDatabase.USER);
    properties.setProperty("password", System.getenv(PASSWORD));
    boolean isPostgres = kind == DatabaseKind.POSTGRESQL;
    properties.setProperty(isPostgres ? "sslmode" : "sslMode", "disable");
    return isPostgres
        ? ConnectionFactory.postgres(url, properties)
        : ConnectionFactory.mariaDb(url, properties);
  }

  private static Subscriber subscriber(Transport transport, String address, List<String> sources) {
    return switch (transport) {
      case KAFKA ->
          new KafkaSubscriber(
              KafkaSubscriberConfig.builder(address, GROUP, sources)
                  .property("session.timeout.ms", "6000")
                  .property("heartbeat.interval.ms", "1000")
                  .build());
      case RABBITMQ ->
          new RabbitSubscriber(RabbitSubscriberConfig.builder(rabbit(address), sources).build());
    };
  }

  private static Publisher letters(Transport transport, String address) {
    return switch (transport) {
      case KAFKA -> new KafkaPublisher(KafkaPublisherConfig.builder(address).build());
      case RABBITMQ -> new RabbitPublisher(rabbit(address));
    };
  }

  private static RabbitPublisherConfig rabbit(String address) {
    return RabbitPublisherConfig.builder().addresses(List.of(address)).build();
  }

  private void handle(ReceivedEvent event, Connection connection, ConnectionFactory others)
      throws SQLException, InterruptedException {
    if (bug == ConsumerBug.EFFECT_APART) {
      try (Connection other = others.open()) {
        write(event, other);
      }
    } else {
      write(event, connection);
    }
    switch (EventKind.of(event.type())) {
      case PLAIN -> {}
      case SLOW -> TimeUnit.MILLISECONDS.sleep(Math.floorMod(event.id().hashCode(), MOST_MILLIS));
      case SHAKY -> {
        if (System.currentTimeMillis() < header(event, UNTIL)) {
          throw new TemporaryException("not yet");
        }
      }
      case POISON, BULKY -> throw new PermanentException("poison");
      case MENDED -> {
        if (version < header(event, NEED)) {
          throw new PermanentException("version " + version + " cannot handle this");
        }
      }
    }
  }

  private static long header(ReceivedEvent event, String name) {
    return Long.parseLong(Objects.requireNonNull(event.headers().get(name), name));
  }

  private void write(ReceivedEvent event, Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into effect (event_id, version) values (?, ?)")) {
      insert.setString(1, event.id());
      insert.setInt(2, version);
      insert.executeUpdate();
    }
  }
}
