package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

/** Looks over AMQP whether exchanges and queues are there. */
final class PassiveCheck {
  private final ScratchChannel scratch;
  private final List<Finding> findings = new ArrayList<>();

  PassiveCheck(Connection connection) {
    this.scratch = new ScratchChannel(connection);
  }

  List<Finding> check(RabbitTopology topology, Collection<Destination> routes)
      throws IOException, TimeoutException {
    Set<String> exchanges = new TreeSet<>();
    Set<String> queues = new TreeSet<>();
    topology.exchanges().forEach(exchange -> exchanges.add(exchange.name()));
    topology.queues().forEach(queue -> queues.add(queue.name()));
    for (Destination route : routes) {
      if (!route.target().isEmpty()) {
        exchanges.add(route.target());
      } else if (!route.routingKey().isEmpty()) {
        queues.add(route.routingKey());
      }
    }
    for (String name : exchanges) {
      look(
          Check.RABBITMQ_EXCHANGE_MISSING,
          "exchange " + name,
          channel -> channel.exchangeDeclarePassive(name));
    }
    for (String name : queues) {
      look(
          Check.RABBITMQ_QUEUE_MISSING,
          "queue " + name,
          channel -> channel.queueDeclarePassive(name));
    }
    return findings;
  }

  private void look(Check check, String subject, ScratchChannel.Question question)
      throws IOException, TimeoutException {
    ScratchChannel.Answer answer = scratch.ask(question);
    if (check == Check.RABBITMQ_QUEUE_MISSING && answer.code() == AMQP.ACCESS_REFUSED) {
      findings.add(KeptPart.perhapsMissing(subject, answer));
    } else if (!answer.isYes()) {
      findings.add(
          new Finding(
              check,
              subject,
              "the broker said " + answer.code() + " " + answer.text(),
              (check == Check.RABBITMQ_EXCHANGE_MISSING
                      ? "waybill destinations declare"
                      : "declare it")
                  + ", or let the relay declare its topology; until then its events wait"));
    }
  }
}
