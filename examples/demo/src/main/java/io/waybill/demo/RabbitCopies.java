package io.waybill.demo;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Records all messages of a queue; what the broker delivers again is recorded again. */
final class RabbitCopies {
  private static final int PREFETCH = 500;

  private final String uri;
  private final String queue;
  private final ReceivedLog log;

  RabbitCopies(String uri, String queue, ReceivedLog log) {
    this.uri = uri;
    this.queue = queue;
    this.log = log;
  }

  void run() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    // The client connects again by itself after the broker's restart.
    factory.setNetworkRecoveryInterval(200);
    // It may stand still for as long as a person likes.
    factory.setRequestedHeartbeat(0);
    try (Connection connection = factory.newConnection("demo consumer")) {
      Channel channel = connection.createChannel();
      channel.basicQos(PREFETCH);
      channel.basicConsume(queue, false, new Recorder(channel));
      new CountDownLatch(1).await();
    }
  }

  /** Called by one thread of the client at a time. */
  private final class Recorder extends DefaultConsumer {
    Recorder(Channel channel) {
      super(channel);
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, BasicProperties properties, byte[] body) throws IOException {
      log.add(eventId(properties), body);
      log.flush();
      getChannel().basicAck(envelope.getDeliveryTag(), false);
    }
  }

  private static String eventId(BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    return headers == null ? "none" : String.valueOf(headers.get("waybill-event-id"));
  }
}
