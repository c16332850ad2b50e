package io.waybill.it.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitHashedQueues;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Four queues that the keys are divided among. */
record RabbitSource(RabbitServer server) implements EffectSource {
  private static final int QUEUES = 4;

  /** A server that divides keys among queues. */
  static RabbitServer launch() {
    return RabbitServer.launch(List.of("rabbitmq_consistent_hash_exchange"), List.of());
  }

  private interface Work {
    void on(Channel channel) throws Exception;
  }

  private void call(Work work) {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(URI.create(server.uri()));
      try (Connection connection = factory.newConnection();
          Channel channel = connection.createChannel()) {
        work.on(channel);
      }
    } catch (Exception e) {
      throw new AssertionError("the test's own call failed", e);
    }
  }

  @Override
  public String kind() {
    return "rabbitmq";
  }

  @Override
  public String address() {
    return server.host() + ":" + server.port();
  }

  @Override
  public List<String> create(String name) {
    String exchange = name + ".events";
    call(channel -> channel.exchangeDeclare(exchange, "topic", true));
    RabbitHashedQueues queues = new RabbitHashedQueues(name, QUEUES);
    RabbitPublisherConfig config =
        RabbitPublisherConfig.builder().addresses(List.of(address())).build();
    assertThat(queues.declare(config, exchange, "#")).isEmpty();
    return queues.queues();
  }

  @Override
  public void publish(String name, List<Copies.Copy> copies) {
    call(
        channel -> {
          channel.confirmSelect();
          int sent = 0;
          for (Copies.Copy copy : copies) {
            Map<String, Object> headers = new HashMap<>();
            headers.put("waybill-event-id", copy.id());
            headers.put("waybill-event-type", EffectConsumer.TYPE);
            headers.put("waybill-aggregate-id", copy.key());
            AMQP.BasicProperties properties =
                new AMQP.BasicProperties.Builder().deliveryMode(2).headers(headers).build();
            channel.basicPublish(
                name + ".events", "effect", true, properties, "{}".getBytes(UTF_8));
            if (++sent % 1_000 == 0) {
              channel.waitForConfirmsOrDie(60_000);
            }
          }
          channel.waitForConfirmsOrDie(60_000);
        });
  }

  @Override
  public void createLetters(String destination) {
    call(
        channel ->
            channel.queueDeclare(
                destination, true, false, false, Map.of("x-queue-type", "quorum")));
  }

  @Override
  public List<String> bodies(String destination) {
    List<String> bodies = new ArrayList<>();
    call(
        channel -> {
          // They go back when the channel ends.
          GetResponse message = channel.basicGet(destination, false);
          while (message != null) {
            bodies.add(new String(message.getBody(), UTF_8));
            message = channel.basicGet(destination, false);
          }
        });
    return bodies;
  }

  @Override
  public long unacknowledged(List<String> sources) {
    AtomicLong count = new AtomicLong();
    call(
        channel -> {
          for (String queue : sources) {
            count.addAndGet(channel.messageCount(queue));
          }
        });
    return count.get();
  }

  /** What is delivered and not acknowledged is not counted by the queue. */
  @Override
  public Duration held() {
    return Duration.ofSeconds(5);
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void close() {
    server.close();
  }
}
