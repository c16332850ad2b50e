package io.waybill.torture;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.testkit.RabbitServer;
import io.waybill.testkit.oracle.RabbitSpy;
import io.waybill.testkit.oracle.Spy;
import io.waybill.testkit.proxy.Protocol;
import io.waybill.testkit.proxy.Proxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** RabbitMQ: a quorum queue for each destination behind a topic exchange. */
final class TortureRabbit implements TortureBroker {
  static final String USER = "torture";

  private final RabbitServer server = RabbitServer.launch();

  TortureRabbit(String password) {
    server.ctl("add_user", USER, password);
    server.ctl("set_permissions", USER, ".*", ".*", ".*");
  }

  @Override
  public String configuration(int port) {
    return """
    rabbitmq:
      addresses: ["%s:%d"]
      user: %s
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
  public void create(OutboxTable table) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    try (Connection connection = factory.newConnection("torture");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(table.exchange(), "topic", true);
      for (String queue : table.destinations()) {
        channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueBind(queue, table.exchange(), queue);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Spy spy(List<String> destinations, Spy.Fingerprint fingerprint) {
    try {
      return new RabbitSpy(URI.create(server.uri()), destinations, fingerprint);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
