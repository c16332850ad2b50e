package io.waybill.torture;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.oracle.RabbitSpy;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Three quorum queues with one active consumer each, published to by the default exchange. */
final class RabbitFeed implements Feed {
  private static final List<String> QUEUES = List.of("orders", "payments", "parcels");
  private static final int PATIENCE_MILLIS = 8_000;
  private static final int PAUSE_MILLIS = 500;

  private record Pending(Message message, Consumer<String> stored, long sentMillis) {}

  private final RabbitServer server;
  private final RabbitSpy letters;
  // By number of the channel's publishings, in their order. Each channel has its own.
  private ConcurrentSkipListMap<Long, Pending> pending = new ConcurrentSkipListMap<>();
  private @Nullable Connection connection;
  private @Nullable Channel channel;
  private long triedMillis;

  RabbitFeed(RabbitServer server) {
    this.server = server;
    try (Connection opened = open();
        Channel declaring = opened.createChannel()) {
      for (String queue : QUEUES) {
        declaring.queueDeclare(
            queue,
            true,
            false,
            false,
            Map.of("x-queue-type", "quorum", "x-single-active-consumer", true));
        declaring.queueDeclare(
            queue + ".dlt", true, false, false, Map.of("x-queue-type", "quorum"));
      }
      List<String> dead = QUEUES.stream().map(queue -> queue + ".dlt").toList();
      letters = new RabbitSpy(URI.create(server.uri()), dead);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection open() throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    factory.setAutomaticRecoveryEnabled(false);
    return factory.newConnection("producer");
  }

  @Override
  public List<String> sources() {
    return QUEUES;
  }

  @Override
  public void send(Message message, Consumer<String> stored) {
    Pending sent = new Pending(message, stored, System.currentTimeMillis());
    Channel open = channel;
    if (open == null) {
      pending.put(pending.isEmpty() ? 1 : pending.lastKey() + 1, sent);
    } else {
      publish(open, sent);
    }
  }

  /** What fails here is found not to be confirmed later. */
  private void publish(Channel open, Pending sent) {
    pending.put(open.getNextPublishSeqNo(), sent);
    Map<String, Object> headers = new HashMap<>(sent.message().headers());
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder().deliveryMode(2).headers(headers).build();
    try {
      open.basicPublish("", sent.message().source(), properties, sent.message().body());
    } catch (IOException | AlreadyClosedException e) {
      abandon();
    }
  }

  private void abandon() {
    Connection old = connection;
    channel = null;
    connection = null;
    if (old != null) {
      old.abort(1_000);
    }
  }

  /** All that was not confirmed goes again, in its order, on a new connection. */
  @Override
  public void look() {
    long now = System.currentTimeMillis();
    Channel open = channel;
    var first = pending.firstEntry();
    if (open != null
        && (!open.isOpen()
            || (first != null && now - first.getValue().sentMillis() > PATIENCE_MILLIS))) {
      abandon();
    }
    if (channel == null && now - triedMillis > PAUSE_MILLIS) {
      triedMillis = now;
      connect();
    }
  }

  private void connect() {
    try {
      Connection opened = open();
      Channel confirming = opened.createChannel();
      confirming.confirmSelect();
      List<Pending> again = List.copyOf(pending.values());
      pending = new ConcurrentSkipListMap<>();
      confirming.addConfirmListener(new Confirms(pending));
      connection = opened;
      channel = confirming;
      again.forEach(each -> send(each.message(), each.stored()));
    } catch (IOException | TimeoutException e) {
      abandon();
    }
  }

  private record Confirms(ConcurrentSkipListMap<Long, Pending> pending) implements ConfirmListener {
    @Override
    public void handleAck(long number, boolean multiple) {
      if (multiple) {
        pending.headMap(number, true).keySet().forEach(this::stored);
      } else {
        stored(number);
      }
    }

    private void stored(long number) {
      Pending sent = pending.remove(number);
      if (sent != null) {
        sent.stored().accept(sent.message().source());
      }
    }

    /** It is sent again after a while, with all behind it. */
    @Override
    public void handleNack(long number, boolean multiple) {}
  }

  @Override
  public long unacknowledged(Set<String> sources) {
    try (Connection opened = open();
        Channel asking = opened.createChannel()) {
      long count = 0;
      for (String queue : sources) {
        count += asking.messageCount(queue);
      }
      return count;
    } catch (IOException | TimeoutException | AlreadyClosedException e) {
      return Long.MAX_VALUE;
    }
  }

  @Override
  public Spy letters() {
    return letters;
  }

  @Override
  public void grow(String topic, int dice) {
    throw new UnsupportedOperationException("RabbitMQ has no partitions");
  }

  @Override
  public void remake(String topic) {
    throw new UnsupportedOperationException("RabbitMQ has no topics");
  }

  @Override
  public void close() {
    abandon();
    letters.close();
  }
}
