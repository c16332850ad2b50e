package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.ContractBroker;
import io.waybill.testkit.Received;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A real RabbitMQ under the contract: a queue on a direct exchange for each destination. */
final class RabbitContractBroker implements ContractBroker {
  private static final String KEY = "key";
  // Spring's notes for returns, the binding's routing key, and the quorum queue's own.
  private static final Set<String> ADDED =
      Set.of(
          "spring_listener_return_correlation",
          "spring_returned_message_correlation",
          RabbitKind.ROUTING_KEY,
          RabbitKind.TOMBSTONE,
          "x-delivery-count");

  private final RabbitServer server;
  private final Supplier<Publisher> publishers;
  private final Map<String, List<Received>> taken = new HashMap<>();

  RabbitContractBroker(RabbitServer server, Supplier<Publisher> publishers) {
    this.server = server;
    this.publishers = publishers;
  }

  /** A durable direct exchange and quorum queue of one name. */
  static void declare(RabbitServer server, String name, String routingKey) {
    call(
        server,
        channel -> {
          channel.exchangeDeclare(name, "direct", true);
          channel.queueDeclare(name, true, false, false, Map.of("x-queue-type", "quorum"));
          channel.queueBind(name, name, routingKey);
          return name;
        });
  }

  @Override
  public Publisher publisher() {
    return publishers.get();
  }

  @Override
  public Destination create(String name) {
    declare(server, name, KEY);
    return absent(name);
  }

  @Override
  public Destination absent(String name) {
    return Destination.exchange(name, KEY);
  }

  @Override
  public List<Received> stored(Destination destination) {
    List<Received> all = taken.computeIfAbsent(destination.target(), name -> new ArrayList<>());
    drain(destination.target()).forEach(message -> all.add(received(message)));
    return all;
  }

  private List<GetResponse> drain(String queue) {
    return call(
        server,
        channel -> {
          List<GetResponse> messages = new ArrayList<>();
          GetResponse next = channel.basicGet(queue, true);
          while (next != null) {
            messages.add(next);
            next = channel.basicGet(queue, true);
          }
          return messages;
        });
  }

  private static Received received(GetResponse message) {
    List<Header> headers = new ArrayList<>();
    Map<String, Object> table = message.getProps().getHeaders();
    boolean isTombstone = table.containsKey(RabbitKind.TOMBSTONE);
    table.forEach((name, value) -> headers.add(new Header(name, value.toString())));
    headers.removeIf(header -> ADDED.contains(header.name()));
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
    return List.of(
        message(firstSendId, Destination.exchange(exchange, "ß".repeat(128))),
        message(firstSendId + 1, Destination.exchange(exchange, "nobody listens")),
        message(firstSendId + 2, good, new Header("n".repeat(256), "x")),
        message(firstSendId + 3, good, new Header("h", "1"), new Header("h", "2")),
        message(firstSendId + 4, good, new Header("timestamp", "1")));
  }

  private static Outgoing message(long id, Destination to, Header... headers) {
    byte[] body = {1};
    return new Outgoing(
        id, to, null, body, "text/plain", "bad-" + id, "Tested", id, List.of(headers));
  }

  @Override
  public boolean keepsByTime() {
    return false;
  }

  @Override
  public int tooLargeBody() {
    return (16 << 20) + 1;
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

  private static <T> T call(RabbitServer server, Work<T> work) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    factory.setAutomaticRecoveryEnabled(false);
    try (Connection connection = factory.newConnection("test");
        Channel channel = connection.createChannel()) {
      return work.on(channel);
    } catch (Exception e) {
      throw new AssertionError("the test's own call to the broker failed", e);
    }
  }

  /** Something to do on a channel. */
  private interface Work<T> {
    T on(Channel channel) throws Exception;
  }
}
