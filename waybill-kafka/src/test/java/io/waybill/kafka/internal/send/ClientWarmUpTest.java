package io.waybill.kafka.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
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

  /** Clients of which the one that warms up waits whether the broker is said to be there. */
  private record WaitingClients(String servers, PublisherRecorder recorder, AtomicBoolean warm)
      implements Clients {
    @Override
    public KafkaProducer<byte[], byte[]> producer(int batchBytes) {
      return client(servers, "none");
    }

    @Override
    public KafkaProducer<byte[], byte[]> warmUp(String server) {
      Awaitility.await("the broker is not said to be there")
          .during(Duration.ofSeconds(1))
          .until(() -> recorder.transport().isEmpty());
      warm.set(true);
      return client(server, "none");
    }

    @Override
    public Admin admin() {
      return Admin.create(Map.of("bootstrap.servers", servers));
    }
  }

  @Test
  void theBrokerIsSaidToBeThereAfterwards() {
    PublisherRecorder recorder = new PublisherRecorder();
    AtomicBoolean warm = new AtomicBoolean();
    try (KafkaServer server = KafkaServer.launch()) {
      Clients clients = new WaitingClients(server.bootstrapServers(), recorder, warm);
      ClientWarmUp.done = false;
      ProducerSupervisor supervisor =
          new ProducerSupervisor(settings(server), clients, Set.of(), true, recorder);
      supervisor.start();
      Awaitility.await().atMost(LIMIT).until(() -> recorder.transport().contains("available"));
      supervisor.close();
    }
    assertThat(warm).isTrue();
  }

  private static SendSettings settings(KafkaServer server) {
    return new SendSettings(
        server.bootstrapServers(),
        LIMIT,
        LIMIT,
        "none",
        (partitions, forSuspects) -> 16_384,
        (message, client) -> null,
        null);
  }

  @Test
  void aProcessDoesItOnce() {
    AtomicInteger made = new AtomicInteger();
    ClientWarmUp.done = false;
    for (int i = 0; i < 2; i++) {
      ClientWarmUp.once(
          server -> {
            made.incrementAndGet();
            return client(server, "none");
          });
    }
    assertThat(made).hasValue(1);
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
