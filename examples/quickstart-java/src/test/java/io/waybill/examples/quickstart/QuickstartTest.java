package io.waybill.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class QuickstartTest {
  @Tag("server")
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void anOrderIsShippedByTheServiceThatReceivesItsEvent() throws Exception {
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch()) {
      kafka.createTopic("orders", 3, Map.of());
      kafka.createTopic("orders.dlt", 1, Map.of());

      Quickstart.main(new String[] {postgres.jdbcUrl(), kafka.bootstrapServers()});

      try (Connection connection = postgres.dataSource().getConnection();
          Statement statement = connection.createStatement();
          ResultSet shipments = statement.executeQuery("select order_id from shipment")) {
        assertThat(shipments.next()).isTrue();
        assertThat(shipments.getString(1)).isEqualTo("42");
        assertThat(shipments.next()).isFalse();
      }
    }
  }

  @Test
  void itIsShort() throws Exception {
    Path source = Path.of("src/main/java/io/waybill/examples/quickstart/Quickstart.java");
    assertThat(Files.readAllLines(source)).hasSizeLessThan(90);
  }
}
