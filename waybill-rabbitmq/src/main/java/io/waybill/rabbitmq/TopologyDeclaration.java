package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Declares a topology. */
final class TopologyDeclaration {
  private final ScratchChannel scratch;
  private final String version;
  private final List<Finding> findings = new ArrayList<>();

  TopologyDeclaration(Connection connection) {
    this(connection, DeliveryLimit.version(connection));
  }

  /** For a broker of that version. */
  TopologyDeclaration(Connection connection, String version) {
    this.scratch = new ScratchChannel(connection);
    this.version = version;
  }

  List<Finding> declare(RabbitTopology topology) throws IOException, TimeoutException {
    for (RabbitTopology.Exchange each : topology.exchanges()) {
      declare(
          "exchange " + each.name(),
          channel -> channel.exchangeDeclare(each.name(), each.type().amqp(), true));
    }
    for (RabbitTopology.Queue each : topology.queues()) {
      declare(each);
    }
    for (RabbitTopology.Binding each : topology.bindings()) {
      Map<String, Object> arguments = new HashMap<>(each.arguments());
      declare(
          "binding of queue " + each.queue() + " to exchange " + each.exchange(),
          channel ->
              channel.queueBind(each.queue(), each.exchange(), each.routingKey(), arguments));
    }
    return findings;
  }

  /** The arguments of a queue on a broker of that version. */
  static Map<String, Object> arguments(RabbitTopology.Queue queue, String version) {
    Map<String, Object> arguments = new HashMap<>();
    arguments.put("x-queue-type", queue.type().amqp());
    if (queue.singleActive()) {
      arguments.put("x-single-active-consumer", true);
    }
    if (queue.type() == RabbitTopology.QueueType.QUORUM && DeliveryLimit.isDefault(version)) {
      arguments.put(DeliveryLimit.ARGUMENT, DeliveryLimit.NONE);
    }
    return arguments;
  }

  private void declare(RabbitTopology.Queue queue) throws IOException, TimeoutException {
    ScratchChannel.Answer answer =
        scratch.ask(declaration(queue.name(), arguments(queue, version)));
    if (answer.isYes()) {
      return;
    }
    boolean isThere = scratch.ask(channel -> channel.queueDeclarePassive(queue.name())).isYes();
    if (answer.code() != AMQP.PRECONDITION_FAILED || !isThere) {
      refused("queue " + queue.name(), answer);
    } else if (!isKept(queue)) {
      findings.add(
          new Finding(
              Check.RABBITMQ_DECLARATION_REFUSED,
              "queue " + queue.name(),
              "queue '%s' exists with other properties than the topology needs: %d %s"
                  .formatted(queue.name(), answer.code(), answer.text()),
              "remove it from the topology to use it as it is, or delete it once it is empty"));
    }
  }

  /** A queue that was there as another kind, which serves its consumers too, is kept and named. */
  private boolean isKept(RabbitTopology.Queue queue) throws IOException, TimeoutException {
    for (RabbitTopology.QueueType type : RabbitTopology.QueueType.values()) {
      RabbitTopology.Queue other =
          new RabbitTopology.Queue(queue.name(), type, queue.singleActive());
      Map<String, Object> arguments = arguments(other, version);
      if (isThereWith(queue.name(), arguments)) {
        findings.add(KeptQueue.ofOtherType(queue, type.amqp()));
        return true;
      }
      if (arguments.remove(DeliveryLimit.ARGUMENT) != null
          && isThereWith(queue.name(), arguments)) {
        findings.add(KeptQueue.limited(queue));
        if (type != queue.type()) {
          findings.add(KeptQueue.ofOtherType(queue, type.amqp()));
        }
        return true;
      }
    }
    return false;
  }

  private boolean isThereWith(String queue, Map<String, Object> arguments)
      throws IOException, TimeoutException {
    return scratch.ask(declaration(queue, arguments)).isYes();
  }

  private static ScratchChannel.Question declaration(String queue, Map<String, Object> arguments) {
    Map<String, Object> all = Map.copyOf(arguments);
    return channel -> channel.queueDeclare(queue, true, false, false, all);
  }

  private void declare(String subject, ScratchChannel.Question question)
      throws IOException, TimeoutException {
    ScratchChannel.Answer answer = scratch.ask(question);
    if (!answer.isYes()) {
      refused(subject, answer);
    }
  }

  private void refused(String subject, ScratchChannel.Answer answer) {
    findings.add(
        new Finding(
            Check.RABBITMQ_DECLARATION_REFUSED,
            subject,
            "the broker refused the declaration: " + answer.code() + " " + answer.text(),
            "make configuration and broker agree, or declare nothing and grant what is missing"));
  }
}
