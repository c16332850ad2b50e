package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Waybill;
import io.waybill.broker.Outgoing;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.Transport;
import java.sql.Connection;
import java.util.List;
import java.util.Properties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("long")
class InMemoryBrokerTest {
  @Test
  void aTestReadsWhatARelayHasPublished() throws Exception {
    String url = PostgresFixture.SERVER.createDatabase("in_memory_broker");
    ConnectionFactory database = ConnectionFactory.postgres(url, new Properties());
    InMemoryBroker broker = new InMemoryBroker(Transport.KAFKA);
    try (Connection connection = database.open()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      connection.setAutoCommit(false);
      try (Waybill waybill =
          Waybill.relay("in-memory").outbox(database).broker(broker).route("orders").start()) {
        for (String id : List.of("e1", "e2")) {
          waybill
              .outbox()
              .append(
                  connection,
                  Event.builder("order.placed", "order", "1").id(id).json("{}").build());
        }
        connection.commit();
        waybill.outbox().committed();

        Awaitility.await().until(() -> broker.published().size() == 2);
      }
    }
    assertThat(broker.published()).extracting(Outgoing::eventId).containsExactly("e1", "e2");
    assertThat(broker.published())
        .extracting(Outgoing::destination)
        .containsOnly(Destination.topic("orders"));
    broker.clear();
    assertThat(broker.published()).isEmpty();
  }
}
