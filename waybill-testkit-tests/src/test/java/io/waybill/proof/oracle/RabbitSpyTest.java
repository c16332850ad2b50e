package io.waybill.proof.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class RabbitSpyTest {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final String QUEUE = "orders";
  private static final int PAUSES = 30;
  private static final int SENDS = 20;

  @Test
  void keepsTheOrderOfAQueueThroughPauses() throws Exception {
    try (RabbitServer server = RabbitServer.launch();
        Connection connection = connect(server);
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
      channel.confirmSelect();
      try (RabbitSpy spy = new RabbitSpy(URI.create(server.uri()), List.of(QUEUE))) {
        AtomicBoolean last = new AtomicBoolean();
        CompletableFuture<Integer> sent =
            CompletableFuture.supplyAsync(() -> sendUntil(last, channel));
        for (int i = 0; i < PAUSES; i++) {
          int seen = spy.count();
          await().atMost(LIMIT).until(() -> spy.count() > seen + SENDS);
          spy.pause(QUEUE);
          spy.resume(QUEUE);
        }
        last.set(true);
        int all = sent.get();
        await().atMost(LIMIT).until(() -> spy.distinct() == all);
        assertThat(spy.copies().stream().map(Copy::eventId).distinct())
            .containsExactlyElementsOf(
                IntStream.range(0, all).mapToObj(Integer::toString).toList());
      }
    }
  }

  /** Returns how many were sent, in the order of their ids. */
  private static int sendUntil(AtomicBoolean last, Channel channel) {
    try {
      int next = 0;
      while (!last.get()) {
        for (int i = 0; i < SENDS; i++, next++) {
          AMQP.BasicProperties id =
              new AMQP.BasicProperties.Builder().messageId(Integer.toString(next)).build();
          channel.basicPublish("", QUEUE, id, new byte[0]);
        }
        channel.waitForConfirms();
      }
      return next;
    } catch (IOException e) {
      throw new CompletionException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }

  private static Connection connect(RabbitServer server) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(server.uri());
    return factory.newConnection();
  }
}
