package io.waybill.it.inbox;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.InboxOptions;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;

/**
 * A consumer process whose handler must not be called twice for an event: it adds one. Arguments:
 * JDBC URL, kind of broker, its address, topics or queues.
 */
public final class EffectConsumer {
  /** The type of the events. */
  static final String TYPE = "effect";

  private EffectConsumer() {}

  /**
   * Runs until the process is killed, or stops in order on SIGTERM.
   *
   * @param args see above
   * @throws InterruptedException never, in effect
   */
  public static void main(String[] args) throws InterruptedException {
    List<String> sources = List.of(args[3].split(",", -1));
    Inbox inbox =
        args[1].equals("kafka")
            ? start(args[0], kafka(args[2], sources), kafkaLetters(args[2]), Transport.KAFKA)
            : start(args[0], rabbit(args[2], sources), rabbitLetters(args[2]), Transport.RABBITMQ);
    Runtime.getRuntime().addShutdownHook(new Thread(inbox::close));
    new CountDownLatch(1).await();
  }

  private static Inbox start(
      String url, Subscriber subscriber, Publisher letters, Transport transport) {
    boolean isPostgres = url.startsWith("jdbc:postgresql:");
    ConnectionFactory connections =
        isPostgres
            ? ConnectionFactory.postgres(url, new Properties())
            : ConnectionFactory.mariaDb(url, new Properties());
    DatabaseKind kind = isPostgres ? DatabaseKind.POSTGRESQL : DatabaseKind.MYSQL;
    return Inbox.builder()
        .store(JdbcInboxStore.of(connections, kind, "effects", InboxOptions.defaults()))
        .subscriber(subscriber)
        .deadLetters(letters, transport)
        .handler(TYPE, EffectConsumer::apply)
        .start();
  }

  private static Subscriber kafka(String address, List<String> topics) {
    return new KafkaSubscriber(
        KafkaSubscriberConfig.builder(address, "effects", topics)
            .property("session.timeout.ms", "3000")
            .property("heartbeat.interval.ms", "500")
            .build());
  }

  private static Publisher kafkaLetters(String address) {
    return new KafkaPublisher(KafkaPublisherConfig.builder(address).build());
  }

  private static Subscriber rabbit(String address, List<String> queues) {
    return new RabbitSubscriber(RabbitSubscriberConfig.builder(rabbit(address), queues).build());
  }

  private static Publisher rabbitLetters(String address) {
    return new RabbitPublisher(rabbit(address));
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
