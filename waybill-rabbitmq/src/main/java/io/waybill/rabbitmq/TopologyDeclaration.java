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

/** Declares a topology. What is there is used as it is, and a finding says how it differs. */
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
      declare(each);
    }
    for (RabbitTopology.Queue each : topology.queues()) {
      declare(each);
    }
    for (RabbitTopology.Binding each : topology.bindings()) {
      declare(each);
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

  private void declare(RabbitTopology.Exchange exchange) throws IOException, TimeoutException {
    String name = exchange.name();
    ScratchChannel.Answer answer =
        scratch.ask(channel -> channel.exchangeDeclare(name, exchange.type().amqp(), true));
    if (!answer.isYes()) {
      if (!scratch.ask(channel -> channel.exchangeDeclarePassive(name)).isYes()) {
        refused("exchange " + name, answer);
      } else if (answer.code() == AMQP.PRECONDITION_FAILED) {
        findings.add(KeptPart.of("exchange", name, answer));
      }
    }
  }

  /** A privilege to declare is not needed for what is there. */
  private void declare(RabbitTopology.Queue queue) throws IOException, TimeoutException {
    String name = queue.name();
    ScratchChannel.Answer answer = scratch.ask(declaration(name, arguments(queue, version)));
    if (!answer.isYes()) {
      ScratchChannel.Answer look = scratch.ask(channel -> channel.queueDeclarePassive(name));
      if (look.code() == AMQP.ACCESS_REFUSED) {
        findings.add(KeptPart.perhapsMissing("queue " + name, look));
      } else if (!look.isYes() || (queue.singleActive() && answer.code() == AMQP.ACCESS_REFUSED)) {
        // Its single active consumer, which keeps the order, can't be seen without the privilege.
        refused("queue " + name, answer);
      } else if (answer.code() == AMQP.PRECONDITION_FAILED && !isOfOtherKind(queue)) {
        findings.add(
            queue.singleActive()
                ? KeptPart.withoutOrder(name, answer)
                : KeptPart.of("queue", name, answer));
      }
    }
  }

  private void declare(RabbitTopology.Binding binding) throws IOException, TimeoutException {
    Map<String, Object> arguments = new HashMap<>(binding.arguments());
    ScratchChannel.Answer answer =
        scratch.ask(
            channel ->
                channel.queueBind(
                    binding.queue(), binding.exchange(), binding.routingKey(), arguments));
    if (answer.code() == AMQP.ACCESS_REFUSED) {
      findings.add(KeptPart.perhapsUnbound(binding, answer));
    } else if (!answer.isYes()) {
      refused("binding of queue " + binding.queue() + " to exchange " + binding.exchange(), answer);
    }
  }

  /** Whether it differs by its type or by the missing limit alone; then that is named. */
  private boolean isOfOtherKind(RabbitTopology.Queue queue) throws IOException, TimeoutException {
    for (RabbitTopology.QueueType type : RabbitTopology.QueueType.values()) {
      RabbitTopology.Queue other =
          new RabbitTopology.Queue(queue.name(), type, queue.singleActive());
      Map<String, Object> arguments = arguments(other, version);
      if (isThereWith(queue.name(), arguments)) {
        findings.add(KeptPart.ofOtherType(queue, type.amqp()));
        return true;
      }
      if (arguments.remove(DeliveryLimit.ARGUMENT) != null
          && isThereWith(queue.name(), arguments)) {
        findings.add(KeptPart.limited(queue));
        if (type != queue.type()) {
          findings.add(KeptPart.ofOtherType(queue, type.amqp()));
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

  private void refused(String subject, ScratchChannel.Answer answer) {
    findings.add(
        new Finding(
            Check.RABBITMQ_DECLARATION_REFUSED,
            subject,
            "the broker refused the declaration: " + answer.code() + " " + answer.text(),
            "make configuration and broker agree, or declare nothing and grant what is missing"));
  }
}
