package io.waybill.browser;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.handler.PermanentException;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Transport;
import io.waybill.proof.server.PostgresServer;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/** A consumer of the topic {@code bills}, in this process. */
final class Billing {
  private Billing() {}

  /** Starts it; it gives up each event that it gets while it is broken. */
  static Inbox start(PostgresServer database, String kafka, BooleanSupplier broken) {
    Properties login = new Properties();
    login.setProperty("user", "postgres");
    return Inbox.builder()
        .name("billing")
        .store(
            JdbcInboxStore.of(
                ConnectionFactory.postgres(database.jdbcUrl(), login),
                DatabaseKind.POSTGRESQL,
                "billing",
                InboxOptions.ofDefaults()))
        .subscriber(
            new KafkaSubscriber(
                KafkaSubscriberConfig.builder(kafka, "billing", List.of("bills")).build()))
        .deadLetters(
            new KafkaPublisher(KafkaPublisherConfig.builder(kafka).build()), Transport.KAFKA)
        .handler(
            "billed",
            (event, connection) -> {
              if (broken.getAsBoolean()) {
                throw new PermanentException("no such account");
              }
            })
        .start();
  }
}
