package io.waybill.kafka.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.Patience;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client sends to a server in the same process, in versions that it has to know. */
class ClientWarmUpTest {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(20));

  private static KafkaProducer<byte[], byte[]> client(String server, String compression) {
    return client(server, compression, 1 << 20);
  }

  private static KafkaProducer<byte[], byte[]> client(
      String server, String compression, int maxRequestSize) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            server,
            "compression.type",
            compression,
            "max.block.ms",
            "10000",
            "max.request.size",
            Integer.toString(maxRequestSize),
            "max.in.flight.requests.per.connection",
            "1",
            "key.serializer",
            ByteArraySerializer.class,
            "value.serializer",
            ByteArraySerializer.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
  void allMessagesAreConfirmed(String compression) {
    assertThat(ClientWarmUp.run(server -> client(server, compression), LIMIT)).isTrue();
  }

  @Test
  void aClientThatCannotBeMadeEndsIt() {
    assertThat(
            ClientWarmUp.run(
                server -> {
                  throw new KafkaException("not today");
                },
                LIMIT))
        .isFalse();
  }

  @Test
  void aClientThatSendsNothingEndsIt() {
    assertThat(ClientWarmUp.run(server -> client(server, "none", 100), LIMIT)).isFalse();
  }

  @Test
  void aClientThatIsClosedEndsIt() {
    assertThat(
            ClientWarmUp.run(
                server -> {
                  KafkaProducer<byte[], byte[]> client = client(server, "none");
                  client.close();
                  return client;
                },
                LIMIT))
        .isFalse();
  }

  @Test
  void theServerEndsConnectionsWithRequestsThatItDoesNotKnow() throws IOException {
    try (LoopbackBroker broker = new LoopbackBroker()) {
      assertThat(answer(broker, 8, 1)).isNegative();
      assertThat(answer(broker, Integer.MAX_VALUE, 3)).isNegative();
      assertThat(answer(broker, -1, 3)).isNegative();
      assertThat(answer(broker, 8, 3)).isNotNegative();
    }
  }

  /** The first byte of the answer; negative if the connection ends. */
  private static int answer(LoopbackBroker broker, int length, int api) throws IOException {
    String address = broker.address();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
      connection.setSoTimeout((int) Patience.of(Duration.ofSeconds(10)).toMillis());
      DataOutputStream out = new DataOutputStream(connection.getOutputStream());
      out.writeInt(length);
      out.writeShort(api);
      out.writeShort(8);
      out.writeInt(1);
      return connection.getInputStream().read();
    }
  }
}
