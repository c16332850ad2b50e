package io.waybill.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerClientTest {
  private final BrokerClient client = BrokerClient.of(Transport.KAFKA).clientId("orders-relay");

  @ParameterizedTest
  @CsvSource({
    "kafka.example.com:9092, kafka.example.com, 9092",
    "127.0.0.1:5672, 127.0.0.1, 5672",
    "[::1]:9092, ::1, 9092"
  })
  void theOnlyServerIsTheOne(String servers, String address, int port) {
    assertThat(client.servers(servers)).isEqualTo(client.server(address, port));
  }

  @Test
  void whichOfSeveralTakesAMessageIsNotKnown() {
    assertThat(client.servers("a:9092,b:9092")).isEqualTo(client);
    assertThat(client.servers("a")).isEqualTo(client);
  }
}
