package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.Check;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.ContractSource;
import io.waybill.testkit.SubscriberContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class RabbitSubscriberContractTest extends SubscriberContract {
  private static RabbitServer server;
  private static Proxy proxy;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
    proxy = Proxy.start(Protocol.AMQP, server.port());
  }

  @AfterAll
  static void close() {
    proxy.close();
    server.close();
  }

  @Override
  protected ContractSource source() {
    return new RabbitContractSource(server, proxy);
  }

  /** This broker has no plugins. */
  @Test
  void namesThePluginThatHashedQueuesNeed() {
    RabbitHashedQueues hashed = new RabbitHashedQueues("p.orders", 2);
    assertThat(hashed.declare(Broker.config(server).build(), "amq.topic", "#"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.RABBITMQ_DECLARATION_REFUSED);
              assertThat(finding.remedy()).contains("rabbitmq_consistent_hash_exchange");
            });
  }
}
