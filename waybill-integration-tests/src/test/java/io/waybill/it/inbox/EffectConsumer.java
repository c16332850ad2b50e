package io.waybill.it.inbox;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Destination;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.policy.InboxSettings;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import io.waybill.store.InboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * A consumer process whose handler must not be called twice for an event: it adds one. Arguments:
 * JDBC URL, kind of broker, its address, topics or queues; and the event that ends the process at
 * once when it is handled, if there is one.
 */
public final class EffectConsumer {
  /** The type of the events. */
  static final String TYPE = "effect";

  /** The group of the subscribers of Kafka. */
  static final String GROUP = "effects";

  /** The exit code of a process that an event has ended. */
  static final int KILLED = 86;

  private EffectConsumer() {}

  /**
   * Runs until the process is killed, or stops in order on SIGTERM.
   *
   * @param args see above
   * @throws InterruptedException never, in effect
   */
  public static void main(String[] args) throws InterruptedException {
    List<String> sources = List.of(args[3].split(",", -1));
    String poison = args.length > 4 ? args[4] : "";
    Inbox inbox =
        Inbox.builder()
            .store(store(args[0]))
            .subscriber(new NotedSubscriber(subscriber(args[1], args[2], sources)))
            .deadLetters(letters(args[1], args[2]), transport(args[1]))
            .settings(s -> s.alone(new InboxSettings.Alone(3, Duration.ofSeconds(2))))
            .handler(
                TYPE,
                (event, connection) -> {
                  apply(event, connection);
                  if (event.id().equals(poison)) {
                    Runtime.getRuntime().halt(KILLED);
                  }
                })
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(inbox::close));
    new CountDownLatch(1).await();
  }

  static InboxStore store(String url) {
    boolean isPostgres = url.startsWith("jdbc:postgresql:");
    ConnectionFactory connections =
        isPostgres
            ? ConnectionFactory.postgres(url, new Properties())
            : ConnectionFactory.mariaDb(url, new Properties());
    DatabaseKind kind = isPostgres ? DatabaseKind.POSTGRESQL : DatabaseKind.MARIADB;
    return JdbcInboxStore.of(connections, kind, "effects", InboxOptions.ofDefaults());
  }

  static Transport transport(String kind) {
    return kind.equals("kafka") ? Transport.KAFKA : Transport.RABBITMQ;
  }

  /** Where dead letters go if nothing is said. */
  static Function<String, Destination> places(String kind) {
    return transport(kind) == Transport.KAFKA
        ? topic -> Destination.topic(topic + ".dlt")
        : queue -> Destination.exchange("", queue + ".dlt");
  }

  static Subscriber subscriber(String kind, String address, List<String> sources) {
    return switch (transport(kind)) {
      case KAFKA ->
          new KafkaSubscriber(
              KafkaSubscriberConfig.builder(address, GROUP, sources)
                  .property("session.timeout.ms", "3000")
                  .property("heartbeat.interval.ms", "500")
                  .build());
      case RABBITMQ ->
          new RabbitSubscriber(RabbitSubscriberConfig.builder(rabbit(address), sources).build());
    };
  }

  static Publisher letters(String kind, String address) {
    return switch (transport(kind)) {
      case KAFKA -> new KafkaPublisher(KafkaPublisherConfig.builder(address).build());
      case RABBITMQ -> new RabbitPublisher(rabbit(address));
    };
  }

  private static RabbitPublisherConfig rabbit(String address) {
    return RabbitPublisherConfig.builder().addresses(List.of(address)).build();
  }

  /** Adds one, and notes whether the event is the next one of its key. */
  private static void apply(ReceivedEvent event, Connection connection) throws SQLException {
    int dash = event.id().lastIndexOf('-');
    String key = event.id().substring(0, dash);
    int number = Integer.parseInt(event.id().substring(dash + 1));
    update(connection, "update effect set n = n + 1 where event_id = ?", event.id());
    try (PreparedStatement next =
        connection.prepareStatement("update progress set last = ? where k = ? and last = ?")) {
      next.setInt(1, number);
      next.setString(2, key);
      next.setInt(3, number - 1);
      if (next.executeUpdate() == 0) {
        update(connection, "insert into disorder (event_id) values (?)", event.id());
      }
    }
  }

  private static void update(Connection connection, String sql, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, id);
      int rows = statement.executeUpdate();
      if (rows != 1) {
        throw new SQLException(rows + " rows for event " + id);
      }
    }
  }
}
