package io.waybill.rabbitmq.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.LongString;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A consumer whose client library gives it what it cannot take. */
class QueueConsumerTest {
  @Test
  void aMessageThatIsNotTakenInEndsItsConsumer() throws Exception {
    DeliveryBuffer buffer = new DeliveryBuffer();
    Channel channel = proxy(Channel.class, Map.of());
    Connection connection = proxy(Connection.class, Map.of("openChannel", Optional.of(channel)));
    QueueConsumer consumer = QueueConsumer.open(connection, "queue", 10, buffer);
    // A header whose value fails to be read.
    LongString bad = proxy(LongString.class, Map.of());
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder().headers(Map.of("bad", bad)).build();
    consumer.handleDelivery(
        "tag", new Envelope(1, false, "exchange", "key"), properties, new byte[0]);
    assertThat(buffer.take().lost()).containsOnlyKeys(consumer);
  }

  /** Answers calls of the client library's interfaces by their names. */
  private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.get(method.getName())));
  }
}
