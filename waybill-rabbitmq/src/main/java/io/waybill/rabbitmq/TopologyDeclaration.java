package io.waybill.rabbitmq;

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
    if (queue.unlimited() && DeliveryLimit.isDefault(version)) {
      arguments.put(DeliveryLimit.ARGUMENT, DeliveryLimit.NONE);
    }
    return arguments;
  }

  /** A queue that was there before with a limit, or the broker's, is kept and named. */
  private void declare(RabbitTopology.Queue queue) throws IOException, TimeoutException {
    Map<String, Object> arguments = arguments(queue, version);
    ScratchChannel.Answer answer = scratch.ask(declaration(queue, arguments));
    if (answer.isYes()) {
      return;
    }
    if (arguments.remove(DeliveryLimit.ARGUMENT) != null
        && scratch.ask(declaration(queue, arguments)).isYes()) {
      findings.add(
          new Finding(
              Check.RABBITMQ_DELIVERIES_LIMITED,
              "queue " + queue.name(),
              "queue '%s' is there without %s %d and may drop a message after %d deliveries"
                  .formatted(
                      queue.name(),
                      DeliveryLimit.ARGUMENT,
                      DeliveryLimit.NONE,
                      DeliveryLimit.DEFAULT),
              "set delivery-limit to -1 in a policy for it"));
    } else {
      refused("queue " + queue.name(), answer);
    }
  }

  private static ScratchChannel.Question declaration(
      RabbitTopology.Queue queue, Map<String, Object> arguments) {
    Map<String, Object> all = Map.copyOf(arguments);
    return channel -> channel.queueDeclare(queue.name(), true, false, false, all);
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
