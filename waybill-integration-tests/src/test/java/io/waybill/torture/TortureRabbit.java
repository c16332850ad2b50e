package io.waybill.torture;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.oracle.RabbitSpy;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** RabbitMQ: a quorum queue for each destination behind a topic exchange. */
final class TortureRabbit implements TortureBroker {
  static final String USER = "torture";

  private static final String FULL = "full";
  // The spy's connection comes back by itself.
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(30));

  private final RabbitServer server = RabbitServer.launch();
  private Map<String, String> exchanges = Map.of();
  private @Nullable RabbitSpy spy;

  TortureRabbit(String password) {
    server.ctl("add_user", USER, password);
    server.ctl("set_permissions", USER, ".*", ".*", ".*");
  }

  @Override
  public String configuration(int port) {
    return """
    rabbitmq:
      addresses: ["%s:%d"]
      username: %s
      password: ${TORTURE_PASSWORD}
    """
        .formatted(server.host(), port, USER);
  }

  @Override
  public Proxy proxy() {
    return Proxy.start(Protocol.AMQP, server.port());
  }

  @Override
  public boolean hasOneAddress() {
    return false;
  }

  @Override
  public void create(OutboxTable table, Duration keep) {
    exchanges = new TreeMap<>();
    for (String queue : table.destinations()) {
      exchanges.put(queue, table.exchange(queue));
      change(
          channel -> {
            channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
            connect(channel, queue);
          });
    }
  }

  private void connect(Channel channel, String queue) throws IOException {
    String exchange = exchange(queue);
    channel.exchangeDeclare(exchange, "topic", true);
    channel.queueBind(queue, exchange, queue);
  }

  private String exchange(String queue) {
    return Objects.requireNonNull(exchanges.get(queue), queue);
  }

  /** What is done to the broker. */
  private interface Change {
    void to(Channel channel) throws IOException;
  }

  private void change(Change change) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    try (Connection connection = factory.newConnection("torture");
        Channel channel = connection.createChannel()) {
      change.to(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An exchange can be in trouble alone only if there is another one. */
  @Override
  public Set<FaultKind> refusals() {
    Set<FaultKind> kinds = EnumSet.of(FaultKind.QUEUE_FULL, FaultKind.BINDING_MISSING);
    if (!ofOneAlone().isEmpty()) {
      kinds.addAll(Set.of(FaultKind.EXCHANGE_MISSING, FaultKind.ACCESS_REFUSED));
    }
    return kinds;
  }

  /** Queues whose exchange has no other one, unless there is one exchange only. */
  private List<String> ofOneAlone() {
    if (Set.copyOf(exchanges.values()).size() == 1) {
      return List.of();
    }
    return exchanges.keySet().stream()
        .filter(queue -> Collections.frequency(exchanges.values(), exchange(queue)) == 1)
        .toList();
  }

  @Override
  public synchronized Refusal refuse(FaultKind kind, int dice) {
    boolean exchange = kind == FaultKind.EXCHANGE_MISSING || kind == FaultKind.ACCESS_REFUSED;
    List<String> queues = exchange ? ofOneAlone() : List.copyOf(exchanges.keySet());
    String queue = queues.get(dice % queues.size());
    return new Refusal(queue, refuse(kind, queue));
  }

  /** Returns what mends it. */
  private Runnable refuse(FaultKind kind, String queue) {
    String exchange = exchange(queue);
    switch (kind) {
      case QUEUE_FULL -> {
        insist(() -> spy().pause(queue));
        String limits = "{\"max-length\":5,\"overflow\":\"reject-publish\"}";
        String pattern = "^" + literally(queue) + "$";
        server.ctl("set_policy", "--apply-to", "queues", FULL, pattern, limits);
        return () -> {
          server.ctl("clear_policy", FULL);
          insist(() -> spy().resume(queue));
        };
      }
      case BINDING_MISSING -> change(channel -> channel.queueUnbind(queue, exchange, queue));
      case EXCHANGE_MISSING -> change(channel -> channel.exchangeDelete(exchange));
      case ACCESS_REFUSED -> {
        permit("^(?!" + literally(exchange) + "$)");
        return () -> permit(".*");
      }
      default -> throw new IllegalArgumentException(kind + " is no refusal of RabbitMQ's");
    }
    return () -> change(channel -> connect(channel, queue));
  }

  private static String literally(String name) {
    return name.replace(".", "\\.");
  }

  /** A channel remembers what it was allowed, so that all are closed. */
  private void permit(String written) {
    server.ctl("set_permissions", USER, ".*", written, ".*");
    server.ctl("close_all_user_connections", USER, "its permissions change");
  }

  private RabbitSpy spy() {
    return Objects.requireNonNull(spy, "spy");
  }

  private static void insist(ThrowingRunnable what) {
    Awaitility.await()
        .atMost(LIMIT)
        .ignoreException(AlreadyClosedException.class)
        .untilAsserted(what);
  }

  @Override
  public Spy spy(OutboxTable table) {
    try {
      spy = new RabbitSpy(URI.create(server.uri()), table.destinations(), table.fingerprint());
      return spy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Feed feed() {
    return new RabbitFeed(server);
  }

  @Override
  public long deletedByTime() {
    return 0;
  }

  @Override
  public synchronized void kill() {
    server.kill();
  }

  @Override
  public synchronized void start() {
    server.start();
  }

  @Override
  public synchronized void freeze() {
    server.freeze();
  }

  @Override
  public synchronized void thaw() {
    server.thaw();
  }

  @Override
  public boolean hasAlarm() {
    return true;
  }

  @Override
  public synchronized void alarm(boolean raised) {
    if (raised) {
      server.ctl("set_vm_memory_high_watermark", "0.0000001");
    } else {
      server.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    }
  }

  /** More than there is has to be free; the default is 50 MB. */
  @Override
  public synchronized void full(boolean full) {
    server.ctl("set_disk_free_limit", full ? "1000000GB" : "50MB");
  }

  @Override
  public synchronized long connections() {
    String listed = server.ctl("list_connections", "user", "channels");
    return listed
        .lines()
        .filter(line -> line.startsWith(USER))
        .mapToLong(line -> 1 + Long.parseLong(line.substring(USER.length()).strip()))
        .sum();
  }

  @Override
  public Path folder() {
    return server.home();
  }

  @Override
  public void close() {
    server.close();
  }
}
