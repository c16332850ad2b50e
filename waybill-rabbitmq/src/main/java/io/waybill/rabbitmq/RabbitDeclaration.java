package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.broker.DestinationDeclaration;
import io.waybill.message.Destination;
import io.waybill.rabbitmq.internal.Failures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Declares exchanges, queues and bindings. AMQP shows neither bindings nor the properties of what
 * is there: only a declaration tells how it differs.
 */
final class RabbitDeclaration implements DestinationDeclaration {
  private static final String KEPT = "its type and its properties stay as they are";

  private final RabbitPublisherConfig config;
  private final Function<String, RabbitTopology.ExchangeType> exchangeType;
  private final RabbitTopology.QueueType queueType;
  private final boolean singleActive;

  RabbitDeclaration(
      RabbitPublisherConfig config,
      Function<String, RabbitTopology.ExchangeType> exchangeType,
      RabbitTopology.QueueType queueType,
      boolean singleActive) {
    this.config = config;
    this.exchangeType = exchangeType;
    this.queueType = queueType;
    this.singleActive = singleActive;
  }

  @Override
  public List<Part> look(Destination destination, @Nullable String queue) {
    return parts(destination, queue, true);
  }

  @Override
  public List<Part> declare(Destination destination, @Nullable String queue) {
    return parts(destination, queue, false);
  }

  private List<Part> parts(Destination destination, @Nullable String queue, boolean onlyLook) {
    try {
      Connection connection = new Connector(config).openPlain();
      try {
        Task task = new Task(connection, onlyLook);
        return destination.target().isEmpty()
            ? List.of(task.queue(destination.routingKey()))
            : task.bound(destination, queue);
      } finally {
        connection.abort((int) config.connectTimeout().toMillis());
      }
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      String text =
          "RabbitMQ at %s does not answer: %s".formatted(config.addresses(), Failures.describe(e));
      throw new UncheckedIOException(text, new IOException(e));
    }
  }

  /** What is done over one connection. */
  private final class Task {
    private final ScratchChannel scratch;
    private final String version;
    private final boolean onlyLook;

    Task(Connection connection, boolean onlyLook) {
      this.scratch = new ScratchChannel(connection);
      this.version = DeliveryLimit.version(connection);
      this.onlyLook = onlyLook;
    }

    /** An exchange with the queue that takes the routing key. */
    List<Part> bound(Destination destination, @Nullable String queue)
        throws IOException, TimeoutException {
      List<Part> parts = new ArrayList<>();
      Part exchange = exchange(destination.target());
      parts.add(exchange);
      if (exchange.state() == State.REFUSED) {
        return parts;
      }
      if (queue == null) {
        parts.add(unnamed(destination, exchange.state()));
        return parts;
      }
      Part found = queue(queue);
      parts.add(found);
      parts.add(binding(destination, queue, exchange.state(), found.state()));
      return parts;
    }

    private Part exchange(String name) throws IOException, TimeoutException {
      BuiltinExchangeType type = exchangeType.apply(name).amqp();
      return declared(
          "exchange " + name,
          "durable, of type " + type.getType(),
          channel -> channel.exchangeDeclarePassive(name),
          channel -> channel.exchangeDeclare(name, type, true));
    }

    Part queue(String name) throws IOException, TimeoutException {
      Map<String, Object> arguments =
          Map.copyOf(
              TopologyDeclaration.arguments(
                  new RabbitTopology.Queue(name, queueType, singleActive), version));
      return declared(
          "queue " + name,
          "durable, of type %s%s"
              .formatted(queueType.amqp(), singleActive ? ", single active consumer" : ""),
          channel -> channel.queueDeclarePassive(name),
          channel -> channel.queueDeclare(name, true, false, false, arguments));
    }

    private Part declared(
        String name,
        String kind,
        ScratchChannel.Question passive,
        ScratchChannel.Question declaration)
        throws IOException, TimeoutException {
      ScratchChannel.Answer look = scratch.ask(passive);
      if (onlyLook) {
        return seen(name, kind, look);
      }
      ScratchChannel.Answer answer = scratch.ask(declaration);
      if (answer.isYes()) {
        return look.code() == AMQP.NOT_FOUND
            ? new Part(name, State.DECLARED, kind)
            : new Part(name, State.EXISTS, kind + (look.isYes() ? "" : ", if not made just now"));
      }
      if (!look.isYes() && !scratch.ask(passive).isYes()) {
        return new Part(name, State.REFUSED, refusal("configure on it", answer));
      }
      return answer.code() == AMQP.PRECONDITION_FAILED
          ? new Part(name, State.EXISTS, "not as " + kind + ", and stays as it is: " + text(answer))
          : new Part(name, State.EXISTS, KEPT);
    }

    private static Part seen(String name, String kind, ScratchChannel.Answer look) {
      if (look.isYes()) {
        return new Part(name, State.EXISTS, KEPT);
      }
      return switch (look.code()) {
        case AMQP.NOT_FOUND -> new Part(name, State.MISSING, kind);
        case AMQP.ACCESS_REFUSED ->
            new Part(name, State.UNKNOWN, "the user may not see it: " + text(look));
        default -> new Part(name, State.REFUSED, text(look));
      };
    }

    private Part unnamed(Destination destination, State exchange) {
      String name = "binding for routing key " + destination.routingKey();
      return exchange == State.EXISTS
          ? new Part(name, State.UNKNOWN, "AMQP does not show bindings, and no queue is named")
          : new Part(name, State.MISSING, "no queue is named");
    }

    private Part binding(Destination destination, String queue, State exchange, State found)
        throws IOException, TimeoutException {
      String name =
          "binding of queue %s with routing key %s".formatted(queue, destination.routingKey());
      if (found == State.REFUSED) {
        return new Part(name, State.MISSING, "it needs the queue");
      }
      if (onlyLook) {
        return exchange == State.MISSING || found == State.MISSING
            ? new Part(name, State.MISSING, "the queue gets a copy of each event from then on")
            : new Part(
                name, State.UNKNOWN, "AMQP does not show bindings; one more changes nothing");
      }
      ScratchChannel.Answer answer =
          scratch.ask(
              channel -> channel.queueBind(queue, destination.target(), destination.routingKey()));
      return answer.isYes()
          ? new Part(name, State.DECLARED, "or was there already")
          : new Part(
              name, State.REFUSED, refusal("write on the queue and read on the exchange", answer));
    }
  }

  private static String refusal(String right, ScratchChannel.Answer answer) {
    return answer.code() == AMQP.ACCESS_REFUSED
        ? "the user needs the right " + right + ": " + text(answer)
        : "the broker refuses it: " + text(answer);
  }

  private static String text(ScratchChannel.Answer answer) {
    return answer.code() + " " + answer.text();
  }
}
