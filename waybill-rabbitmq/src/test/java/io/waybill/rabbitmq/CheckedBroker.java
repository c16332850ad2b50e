package io.waybill.rabbitmq;

import io.waybill.proof.server.RabbitServer;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** One broker for the tests of checks, with the management API; it ends with the JVM. */
abstract class CheckedBroker {
  static final RabbitTopology NOTHING = RabbitTopology.builder().build();

  static final RabbitServer server = launch();

  private static RabbitServer launch() {
    RabbitServer launched =
        RabbitServer.launch(
            List.of("rabbitmq_management", "rabbitmq_consistent_hash_exchange"), List.of());
    // Behind the dead-letter exchange of queues that are well.
    Broker.call(launched, channel -> channel.queueDeclare("dead", true, false, false, Map.of()));
    Broker.call(launched, channel -> channel.queueBind("dead", "amq.fanout", ""));
    return launched;
  }

  static RabbitChecks checks(RabbitTopology topology) {
    return new RabbitChecks(Broker.config(server).build(), topology, management());
  }

  static RabbitManagement management() {
    return new RabbitManagement(URI.create(server.managementUrl()), "guest", "guest");
  }
}
