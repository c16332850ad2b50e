package io.waybill.bench.wire;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A channel for each thread, all on one queue, that acknowledges each message. The queue spreads
 * the messages of a key over the channels: their order is lost.
 */
final class RabbitConsumers implements Consumers {
  // The default of Spring AMQP, and of Waybill.
  private static final int PREFETCH = 250;

  private final Connection connection;
  private final Effects effects;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean running = true;

  RabbitConsumers(String address, String queue, int count, Effects effects) throws IOException {
    this.effects = effects;
    this.connection = RabbitWire.connect(address);
    for (int i = 1; i <= count; i++) {
      Channel channel = connection.createChannel();
      LinkedBlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
      channel.basicQos(PREFETCH);
      channel.basicConsume(queue, false, (tag, delivery) -> arrived.add(delivery), tag -> {});
      Thread thread = new Thread(() -> consume(channel, arrived), "consumer-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void consume(Channel channel, LinkedBlockingQueue<Delivery> arrived) {
    try {
      Effect effect = effects.open();
      while (running) {
        Delivery delivery = arrived.poll(100, TimeUnit.MILLISECONDS);
        if (delivery != null) {
          effect.apply(delivery.getBody());
          channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException("A consumer failed", e);
    }
  }

  @Override
  public void close() {
    running = false;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      connection.abort();
    }
  }
}
