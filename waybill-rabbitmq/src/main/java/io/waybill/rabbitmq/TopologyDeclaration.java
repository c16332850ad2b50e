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
  private final List<Finding> findings = new ArrayList<>();

  TopologyDeclaration(Connection connection) {
    this.scratch = new ScratchChannel(connection);
  }

  List<Finding> declare(RabbitTopology topology) throws IOException, TimeoutException {
    for (RabbitTopology.Exchange each : topology.exchanges()) {
      declare(
          "exchange " + each.name(),
          channel -> channel.exchangeDeclare(each.name(), each.type().amqp(), true));
    }
    for (RabbitTopology.Queue each : topology.queues()) {
      Map<String, Object> arguments = arguments(each);
      declare(
          "queue " + each.name(),
          channel -> channel.queueDeclare(each.name(), true, false, false, arguments));
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

  static Map<String, Object> arguments(RabbitTopology.Queue queue) {
    Map<String, Object> arguments = new HashMap<>();
    arguments.put("x-queue-type", queue.type().amqp());
    if (queue.singleActive()) {
      arguments.put("x-single-active-consumer", true);
    }
    return arguments;
  }

  private void declare(String subject, ScratchChannel.Question question)
      throws IOException, TimeoutException {
    ScratchChannel.Answer answer = scratch.ask(question);
    if (!answer.isYes()) {
      findings.add(
          new Finding(
              Check.RABBITMQ_DECLARATION_REFUSED,
              subject,
              "the broker refused the declaration: " + answer.code() + " " + answer.text(),
              "make configuration and broker agree, or declare nothing and grant what is missing"));
    }
  }
}
