package io.waybill.it;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.Preset;
import io.waybill.RelayBuilder;
import io.waybill.Waybill;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitBroker;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The notification system's producer side: its tables, its four queues and its relays. */
final class ProducerWorld implements AutoCloseable {
  static final String EXCHANGE = "notifications.exchange";
  static final List<String> TYPES = List.of("RESTAURANT", "CUSTOMER", "AGENCY", "ADMIN");
  static final Layout LAYOUT = Layouts.NOTIFICATION;

  /** An event is dead after its third refusal; attempts are a second apart, as documented. */
  static final RetryPolicy EVERY_SECOND =
      RetryPolicy.builder().constant(Duration.ofSeconds(1)).attemptLimit(3).build();

  private final DataSource database;
  private final DatabaseKind kind;
  private final RabbitServer rabbit;
  private final List<Runnable> open = new ArrayList<>();

  ProducerWorld(DatabaseServer server, RabbitServer rabbit, String name) throws Exception {
    server.createDatabase(name);
    this.database = server.dataSource(name);
    this.kind = server.kind();
    this.rabbit = rabbit;
    try (java.sql.Connection connection = database.getConnection()) {
      TableSchema.run(connection, TableSchema.documentedTable(LAYOUT.name(), kind));
      TableSchema.of(LAYOUT, kind, SideNames.of(LAYOUT), 1).apply(connection);
    }
    Channel channel = channel();
    channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.TOPIC, true);
    for (String queue : queues()) {
      channel.queueDelete(queue);
      channel.queueDeclare(queue, true, false, false, null);
      channel.queueBind(queue, EXCHANGE, queue);
    }
  }

  static String queue(String aggregateType) {
    return "notification." + aggregateType.toLowerCase(Locale.ROOT);
  }

  static List<String> queues() {
    return TYPES.stream().map(ProducerWorld::queue).toList();
  }

  DataSource database() {
    return database;
  }

  Channel channel() throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(rabbit.host());
    factory.setPort(rabbit.port());
    Connection connection = factory.newConnection("test");
    open.add(connection::abort);
    return connection.createChannel();
  }

  RabbitTail tail() throws IOException {
    RabbitTail tail = new RabbitTail(rabbit.uri(), queues());
    open.add(tail::close);
    return tail;
  }

  TableOutbox outbox() {
    return outbox(io.waybill.database.ConnectionFactory.of(database));
  }

  TableOutbox outbox(io.waybill.database.ConnectionFactory connections) {
    return TableOutbox.of(connections, LAYOUT, kind, TableOptions.defaults(LAYOUT));
  }

  /** A relay with everything as documented: fixed delay, batch, retries, FAILED. */
  RelayBuilder relay(String name) {
    return Waybill.relay(name)
        .tables(outbox())
        .preset(Preset.NOTIFICATION)
        .broker(RabbitBroker.at(rabbit.host() + ":" + rabbit.port()))
        .retry(EVERY_SECOND)
        .failure(new FailurePolicy.Bury(null, Duration.ofSeconds(3)))
        .warnOnly();
  }

  /** Starts a relay that ends with this world. */
  Waybill start(RelayBuilder builder) {
    Waybill relay = builder.start();
    open.add(relay::close);
    return relay;
  }

  void write(String eventId, String aggregateType, long aggregateId) throws SQLException {
    try (java.sql.Connection connection = database.getConnection()) {
      insert(connection, eventId, aggregateType, aggregateId);
    }
  }

  void insert(java.sql.Connection connection, String eventId, String type, long id)
      throws SQLException {
    String place = kind == DatabaseKind.POSTGRESQL ? "cast(? as json)" : "?";
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
            values (?, 'ORDER_CREATED', ?, ?, %s)"""
                .formatted(place))) {
      insert.setString(1, eventId);
      insert.setString(2, type);
      insert.setLong(3, id);
      insert.setString(4, "{\"order\":\"" + eventId + "\"}");
      insert.executeUpdate();
    }
  }

  void run(String sql) throws SQLException {
    try (java.sql.Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Nullable String value(String query) {
    try (java.sql.Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      return result.next() ? result.getString(1) : null;
    } catch (SQLException e) {
      return "the database does not answer: " + e.getMessage();
    }
  }

  @Nullable String status(String eventId) {
    return value("select status from event_outbox where event_id = '" + eventId + "'");
  }

  @Nullable String record(String eventId) {
    return value("select status from processed_event where event_id = '" + eventId + "'");
  }

  @Override
  public void close() {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).run();
    }
  }
}
