package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Asks whether the relay's user may write to exchanges. */
final class WriteCheck {
  private final ScratchChannel scratch;

  WriteCheck(Connection connection) {
    this.scratch = new ScratchChannel(connection);
  }

  List<Finding> check(Collection<Destination> routes) throws IOException, TimeoutException {
    List<Finding> findings = new ArrayList<>();
    for (String exchange : routes.stream().map(Destination::target).distinct().toList()) {
      ScratchChannel.Answer answer = scratch.ask(channel -> publishNothing(channel, exchange));
      if (answer.code() == AMQP.ACCESS_REFUSED) {
        findings.add(
            new Finding(
                Check.RABBITMQ_WRITE_DENIED,
                "exchange " + exchange,
                "the relay's user may not write to it: " + answer.text(),
                "rabbitmqctl set_permissions -p <virtual host> <relay user> '' '^(%s)$' ''"
                    .formatted(exchange)));
      }
    }
    return findings;
  }

  /** The broker checks the privilege at once and keeps nothing of a transaction that is undone. */
  private static void publishNothing(Channel channel, String exchange) throws IOException {
    channel.txSelect();
    channel.basicPublish(exchange, "waybill.check", null, new byte[0]);
    channel.txRollback();
  }
}
