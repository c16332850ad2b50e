package io.waybill.bench.wire;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Consumes a queue and acknowledges in ranges. */
final class RabbitInflow implements Inflow {
  private static final int PREFETCH = 2000;

  private final Connection connection;
  private final Channel channel;
  private final LinkedBlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();

  RabbitInflow(String address, String queue) throws IOException {
    this.connection = RabbitWire.connect(address);
    this.channel = connection.createChannel();
    channel.basicQos(PREFETCH);
    channel.basicConsume(queue, false, (tag, delivery) -> arrived.add(delivery), tag -> {});
  }

  @Override
  public void receive(Consumer<byte[]> each) {
    List<Delivery> batch = new ArrayList<>();
    arrived.drainTo(batch, PREFETCH / 4);
    if (batch.isEmpty()) {
      waitForOne(batch);
    }
    batch.forEach(delivery -> each.accept(delivery.getBody()));
    if (!batch.isEmpty()) {
      acknowledge(batch.get(batch.size() - 1));
    }
  }

  private void waitForOne(List<Delivery> batch) {
    try {
      Delivery first = arrived.poll(100, TimeUnit.MILLISECONDS);
      if (first != null) {
        batch.add(first);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void acknowledge(Delivery last) {
    try {
      channel.basicAck(last.getEnvelope().getDeliveryTag(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    connection.abort();
  }
}
