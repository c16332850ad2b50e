package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.internal.AmqpProperties;
import io.waybill.testkit.ContractBroker;
import io.waybill.testkit.PublisherContract;
import io.waybill.testkit.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RabbitPublisherContractTest extends PublisherContract {
  private static RabbitServer server;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected ContractBroker broker() {
    return new Contract(server);
  }

  /** A queue on a direct exchange for each destination. */
  private static final class Contract implements ContractBroker {
    private static final int MAX_BODY = 1024 * 1024;

    private final RabbitServer server;
    private final Map<String, List<Received>> taken = new HashMap<>();

    Contract(RabbitServer server) {
      this.server = server;
    }

    @Override
    public Publisher publisher() {
      return new RabbitPublisher(
          Broker.config(server)
              .confirmTimeout(Duration.ofSeconds(4))
              .maxMessageBytes(MAX_BODY)
              .build());
    }

    @Override
    public Destination create(String name) {
      return Broker.create(server, name, Broker.QUORUM);
    }

    @Override
    public Destination absent(String name) {
      return Destination.exchange(name, "key");
    }

    @Override
    public List<Received> stored(Destination destination) {
      List<Received> all = taken.computeIfAbsent(destination.target(), name -> new ArrayList<>());
      Broker.drain(server, destination.target()).forEach(message -> all.add(received(message)));
      return all;
    }

    private static Received received(GetResponse message) {
      List<Header> headers = new ArrayList<>();
      Map<String, Object> table = message.getProps().getHeaders();
      boolean isTombstone = table.containsKey(AmqpProperties.TOMBSTONE);
      table.forEach((name, value) -> headers.add(new Header(name, value.toString())));
      // The last one is the quorum queue's own.
      Set<String> added = Set.of(AmqpProperties.TOMBSTONE, "x-delivery-count");
      headers.removeIf(header -> added.contains(header.name()));
      long millis = message.getProps().getTimestamp().toInstant().toEpochMilli();
      return new Received(null, isTombstone ? null : message.getBody(), millis, headers);
    }

    @Override
    public void assertSame(Outgoing sent, Received arrived) {
      assertThat(arrived.body()).isEqualTo(sent.body());
      assertThat(arrived.timestampMillis()).isEqualTo(sent.timestampMillis() / 1000 * 1000);
      assertThat(arrived.headers()).containsExactlyInAnyOrderElementsOf(sent.headers());
    }

    @Override
    public List<Outgoing> refused(Destination good, long firstSendId) {
      String exchange = good.target();
      Destination longKey = Destination.exchange(exchange, "r".repeat(256));
      Destination wideKey = Destination.exchange(exchange, "ß".repeat(128));
      Destination longExchange = Destination.exchange("e".repeat(256), "key");
      Destination unbound = Destination.exchange(exchange, "nobody listens");
      List<Header> oversized = List.of(new Header("h", "x".repeat(131_072)));
      List<Header> longName = List.of(new Header("n".repeat(256), "x"));
      List<Header> twice = List.of(new Header("h", "1"), new Header("h", "2"));
      return List.of(
          message(firstSendId, longKey, List.of()),
          message(firstSendId + 1, wideKey, List.of()),
          message(firstSendId + 2, longExchange, List.of()),
          message(firstSendId + 3, unbound, List.of()),
          message(firstSendId + 4, good, oversized),
          message(firstSendId + 5, good, longName),
          message(firstSendId + 6, good, twice));
    }

    private static Outgoing message(long id, Destination to, List<Header> headers) {
      byte[] body = {1};
      return new Outgoing(id, to, null, body, "text/plain", "bad-" + id, "Tested", id, headers);
    }

    @Override
    public boolean keepsByTime() {
      return false;
    }

    @Override
    public int tooLargeBody() {
      return MAX_BODY + 1;
    }

    @Override
    public void kill() {
      server.kill();
    }

    @Override
    public void restart() {
      server.start();
    }

    @Override
    public void freeze() {
      server.freeze();
    }

    @Override
    public void thaw() {
      server.thaw();
    }
  }
}
