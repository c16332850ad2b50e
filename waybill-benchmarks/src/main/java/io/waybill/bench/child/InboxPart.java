package io.waybill.bench.child;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waybill.bench.load.EffectTables;
import io.waybill.bench.load.Published;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.broker.Subscriber;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.handler.Registration;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.InboxBuilder;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.micrometer.MicrometerInboxListener;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** An inbox with metrics and default settings, apart from the prefetch of batches on RabbitMQ. */
final class InboxPart implements ChildMain.Part {
  private static final String CONSUMER = "bench";
  private static final int BATCHES_AHEAD = 2;
  private static final Duration GRACE = Duration.ofSeconds(20);

  @Override
  public void play(Settings settings, Control control) throws Exception {
    control.readyAndAwaitGo();
    Heard heard = new Heard(new Progress(control, settings.number("events")));
    Inbox inbox = inbox(settings, heard);
    control.awaitStop();
    if (!inbox.stop(GRACE)) {
      throw new IllegalStateException("The inbox did not stop cleanly");
    }
    if (settings.has("stamps")) {
      heard.stamps.write(Path.of(settings.text("stamps")));
      control.tell("failures", heard.retried, heard.failed, heard.behind);
    }
  }

  private static Inbox inbox(Settings settings, Heard heard) {
    boolean kafka = BrokerKind.of(settings.text("broker")) == BrokerKind.KAFKA;
    MicrometerInboxListener metrics =
        new MicrometerInboxListener(
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), CONSUMER);
    InboxBuilder builder =
        Inbox.builder()
            .name(CONSUMER)
            .store(store(settings.text("database")))
            .subscriber(kafka ? kafka(settings) : rabbit(settings))
            .deadLetters(
                Brokers.of(settings).publisher(), kafka ? Transport.KAFKA : Transport.RABBITMQ)
            .listener(InboxListener.all(List.of(metrics, heard)))
            .settings(defaults -> defaults.workers((int) settings.number("workers")));
    if (settings.has("stamps")) {
      builder.handler(Published.TYPE, InboxPart::mayFail);
    } else if (settings.has("handlerMillis")) {
      Duration time = Duration.ofMillis(settings.number("handlerMillis"));
      builder.handler(Published.TYPE, (event, connection) -> slowly(event, connection, time));
    } else if (settings.number("batch") > 1) {
      int most = (int) settings.number("batch");
      boolean bulk = Sql.isMariaDb(settings.text("database"));
      builder.batchHandler(
          Published.TYPE,
          Registration.ANY_VERSION,
          most,
          bulk ? InboxPart::bulk : InboxPart::unnested);
    } else {
      builder.handler(Published.TYPE, InboxPart::one);
    }
    return builder.start();
  }

  private static JdbcInboxStore store(String url) {
    boolean mariaDb = Sql.isMariaDb(url);
    return JdbcInboxStore.of(
        mariaDb
            ? ConnectionFactory.mariaDb(url, new Properties())
            : ConnectionFactory.postgres(url, new Properties()),
        mariaDb ? DatabaseKind.MARIADB : DatabaseKind.POSTGRESQL,
        CONSUMER,
        InboxOptions.ofDefaults());
  }

  private static Subscriber kafka(Settings settings) {
    return new KafkaSubscriber(
        KafkaSubscriberConfig.builder(
                settings.text("address"), CONSUMER, List.of(settings.text("destination")))
            .build());
  }

  /** Workers that take batches have more messages at once than the default lets them have. */
  private static Subscriber rabbit(Settings settings) {
    RabbitSubscriberConfig.Builder config =
        RabbitSubscriberConfig.builder(
            Brokers.rabbit(settings.text("address")), List.of(settings.text("destination")));
    long batch = settings.has("batch") ? settings.number("batch") : 1;
    if (batch > 1) {
      config.prefetch((int) Math.min(65_535, BATCHES_AHEAD * settings.number("workers") * batch));
    }
    return new RabbitSubscriber(config.build());
  }

  private static void one(ReceivedEvent event, Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(EffectTables.INSERT)) {
      bind(insert, event);
      insert.executeUpdate();
    }
  }

  private static void slowly(ReceivedEvent event, Connection connection, Duration time)
      throws SQLException {
    one(event, connection);
    LockSupport.parkNanos(time.toNanos());
  }

  /** MariaDB's driver makes one statement of a batch. */
  private static void bulk(List<ReceivedEvent> events, Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(EffectTables.INSERT)) {
      for (ReceivedEvent event : events) {
        bind(insert, event);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void unnested(List<ReceivedEvent> events, Connection connection)
      throws SQLException {
    Integer[] keys = new Integer[events.size()];
    Long[] positions = new Long[events.size()];
    for (int i = 0; i < keys.length; i++) {
      long ref = Published.ref(events.get(i).id());
      keys[i] = Ref.key(ref);
      positions[i] = Ref.position(ref);
    }
    try (PreparedStatement insert = connection.prepareStatement(EffectTables.INSERT_ALL)) {
      insert.setArray(1, connection.createArrayOf("integer", keys));
      insert.setArray(2, connection.createArrayOf("bigint", positions));
      insert.executeUpdate();
    }
  }

  private static void bind(PreparedStatement insert, ReceivedEvent event) throws SQLException {
    long ref = Published.ref(event.id());
    insert.setInt(1, Ref.key(ref));
    insert.setLong(2, Ref.position(ref));
  }

  private static void mayFail(ReceivedEvent event, Connection connection) throws SQLException {
    try (PreparedStatement fails = connection.prepareStatement(EffectTables.FAILS)) {
      fails.setInt(1, Ref.key(Published.ref(event.id())));
      try (ResultSet found = fails.executeQuery()) {
        if (found.next()) {
          throw new TemporaryException("this key is to fail for now");
        }
      }
    }
    one(event, connection);
  }

  /** What the inbox tells. */
  private static final class Heard implements InboxListener {
    private final Progress progress;
    private final Stamps stamps = new Stamps();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong behind = new AtomicLong();

    Heard(Progress progress) {
      this.progress = progress;
    }

    @Override
    public void on(InboxEvent event) {
      if (event instanceof InboxEvent.Handled handled) {
        stamps.stamp(Published.ref(handled.about().eventId()));
        progress.completed(1);
      } else if (event instanceof InboxEvent.Retried) {
        retried.incrementAndGet();
      } else if (event instanceof InboxEvent.Deferred deferred) {
        (deferred.attempts() > 0 ? failed : behind).incrementAndGet();
      }
    }
  }
}
