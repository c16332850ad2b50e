package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Waybill;
import io.waybill.encode.Encoder;
import io.waybill.encode.Format;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.Payload;
import io.waybill.message.Transport;
import io.waybill.relay.RoutedMapper;
import io.waybill.route.Route;
import io.waybill.route.Routes;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.PostgresServer;
import io.waybill.testkit.oracle.KafkaSpy;
import io.waybill.testkit.oracle.Ledger;
import io.waybill.testkit.oracle.Oracle;
import io.waybill.testkit.oracle.Verdict;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outbox and relay inside a plain Java service. */
@Tag("server")
class InProcessTest {
  @Test
  void eventsOfCommittedTransactionsArriveOnceInOrder() throws Exception {
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch();
        Connection connection = postgres.dataSource().getConnection()) {
      kafka.createTopic("orders", 4, Map.of());
      Schemas.apply(connection);
      Ledger.create(connection);
      try (KafkaSpy spy =
              new KafkaSpy(kafka.bootstrapServers(), List.of("orders"), "waybill-event-id");
          Waybill waybill = start(postgres, kafka)) {
        connection.setAutoCommit(false);
        for (int i = 0; i < 3_000; i++) {
          String id = UUID.randomUUID().toString();
          byte[] payload = Ledger.write(connection, id, "key-" + i % 50, 20);
          waybill
              .outbox()
              .append(
                  connection,
                  Event.builder("order.placed", "order", "key-" + i % 50)
                      .id(id)
                      .payload(Payload.of(payload, Payload.JSON))
                      .build());
          if (i % 7 == 0) {
            connection.rollback();
          } else {
            connection.commit();
            waybill.outbox().committed();
          }
        }
        Verdict verdict = converge(connection, spy);
        assertThat(verdict.clean()).as(verdict.toString()).isTrue();
        assertThat(verdict.duplicates()).isZero();
        assertThat(waybill.stop(Duration.ofSeconds(10))).isTrue();
        try (var rows =
            connection.createStatement().executeQuery("select count(*) from waybill_outbox")) {
          rows.next();
          assertThat(rows.getLong(1)).isZero();
        }
      }
    }
  }

  private static Verdict converge(Connection connection, KafkaSpy spy) throws Exception {
    var committed = Ledger.committed(connection);
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> spy.distinct() >= committed.size());
    return Oracle.compare(committed, spy.copies(), Set.of());
  }

  private static Waybill start(PostgresServer postgres, KafkaServer kafka) {
    Routes routes = Routes.builder(Transport.KAFKA).byDefault(Route.to("orders").build()).build();
    Encoder encoder = Encoder.builder(Transport.KAFKA).byDefault(Format.RAW).build();
    return Waybill.builder()
        .name("in-process")
        .postgres(ConnectionFactory.postgres(postgres.jdbcUrl(), new Properties()))
        .publisher(
            new KafkaPublisher(KafkaPublisherConfig.builder(kafka.bootstrapServers()).build()))
        .mapper(new RoutedMapper(routes, encoder, EventLimits.ofDefaults()))
        .start();
  }
}
