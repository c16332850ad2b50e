package io.waybill.it.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.rabbitmq.RabbitHashedQueues;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.testkit.PostgresServer;
import io.waybill.testkit.RabbitServer;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("long")
class RabbitEffectOnceTest extends EffectOnceContract {
  private static final int QUEUES = 4;
  private static RabbitServer rabbit;
  private static PostgresServer postgres;

  @BeforeAll
  static void launch() {
    rabbit = RabbitServer.launch(List.of("rabbitmq_consistent_hash_exchange"), List.of());
    postgres = PostgresServer.launch();
  }

  @AfterAll
  static void close() {
    rabbit.close();
    postgres.close();
  }

  @Override
  Database database(String name) {
    return KafkaEffectOnceTest.onPostgres(postgres, name);
  }

  private static String address() {
    return rabbit.host() + ":" + rabbit.port();
  }

  private interface Work {
    void on(Channel channel) throws Exception;
  }

  private static void call(Work work) {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(URI.create(rabbit.uri()));
      try (Connection connection = factory.newConnection();
          Channel channel = connection.createChannel()) {
        work.on(channel);
      }
    } catch (Exception e) {
      throw new AssertionError("the test's own call failed", e);
    }
  }

  @Override
  Source source() {
    return new Source() {
      @Override
      public String kind() {
        return "rabbitmq";
      }

      @Override
      public String address() {
        return RabbitEffectOnceTest.address();
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
    };
  }
}
