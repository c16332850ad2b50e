package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.observe.Finding.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Exchanges and queues that are there already, and those that known outboxes bring along. */
@Tag("long")
class RabbitKeptPartsTest extends CheckedBroker {
  @Test
  void usesWhatIsThereAsItIsWhateverItsTypeAndArguments() {
    Broker.call(server, channel -> channel.exchangeDeclare("contrary.events", "fanout", true));
    RabbitContractSource.create(server, "contrary.orders", Map.of("x-max-length", 5));
    Broker.call(
        server, channel -> channel.queueDeclare("contrary.passing", false, false, false, null));
    RabbitTopology topology =
        RabbitTopology.builder()
            .exchange("contrary.events", RabbitTopology.ExchangeType.TOPIC)
            .queue("contrary.orders")
            .queue("contrary.passing")
            .bind("contrary.events", "contrary.orders", "")
            .build();
    assertThat(checks(topology).declare())
        .hasSize(3)
        .allMatch(finding -> finding.check() == Check.RABBITMQ_PROPERTIES_DIFFER)
        .allMatch(finding -> finding.detail().contains("406"))
        .extracting(Finding::subject)
        .containsExactly(
            "exchange contrary.events", "queue contrary.orders", "queue contrary.passing");
    // What they do with events is seen by the look at them.
    assertThat(checks(topology).check(List.of()))
        .extracting(Finding::check)
        .contains(Check.RABBITMQ_QUEUE_DROPS_OLDEST, Check.RABBITMQ_QUEUE_NOT_DURABLE)
        .doesNotContain(Check.RABBITMQ_BINDING_MISSING);
  }

  @Test
  void refusesAQueueWithoutTheSingleActiveConsumerThatItNeeds() {
    RabbitContractSource.create(server, "contrary.shared", Broker.QUORUM);
    RabbitTopology topology = RabbitTopology.builder().singleActiveQueue("contrary.shared").build();
    assertThat(checks(topology).declare())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.RABBITMQ_DECLARATION_REFUSED);
              assertThat(finding.detail()).contains("406");
              assertThat(finding.remedy()).startsWith("remove it from the topology");
            });
  }

  @Test
  void declaresWhatLeadsDestinationsToTheirConsumers() {
    List<Destination> documented = List.of(Destination.exchange("doc.exchange", "doc.one"));
    RabbitBroker broker = RabbitBroker.of(Broker.config(server).build());
    assertThat(broker.topology(NOTHING).declaring(documented).declare()).isEmpty();
    assertThat(server.ctl("list_queues", "name")).doesNotContain("doc.one");

    assertThat(broker.declaring(documented).declare()).isEmpty();

    // As a consumer of the document declares them, and finds what it wants.
    Broker.call(server, channel -> channel.exchangeDeclare("doc.exchange", "topic", true));
    Broker.call(server, channel -> channel.queueDeclare("doc.one", true, false, false, null));
    RabbitContractSource.publish(server, "doc.one", "k", List.of("a"));
  }

  /** A user who may write to the exchange, and neither declare nor bind. */
  @Test
  void needsNoPrivilegeForWhatIsThere() {
    Broker.call(server, channel -> channel.exchangeDeclare("granted.events", "topic", true));
    RabbitContractSource.create(server, "granted.orders", Map.of());
    server.ctl("add_user", "granted", "secret");
    server.ctl("set_permissions", "granted", "^$", "^granted\\.events$", "^$");
    RabbitTopology topology =
        RabbitTopology.builder()
            .queueOf(Destination.exchange("granted.events", "granted.orders"))
            .build();
    RabbitPublisherConfig user =
        Broker.config(server)
            .credentials(new RabbitCredentials.Password("granted", "secret"))
            .build();

    assertThat(new RabbitChecks(user, topology, null).declare())
        .isNotEmpty()
        .allSatisfy(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.RABBITMQ_BINDING_DENIED);
              assertThat(finding.severity()).isEqualTo(Severity.WARN);
            });
    assertThat(new RabbitChecks(user, topology, management()).declare()).isEmpty();
    assertThat(new RabbitChecks(user, topology, null).check(List.of()))
        .extracting(Finding::check)
        .doesNotContain(Check.RABBITMQ_QUEUE_MISSING);
  }

  @Test
  void refusesAQueueWhoseSingleActiveConsumerCannotBeSeen() {
    RabbitContractSource.create(server, "unseen.orders", Map.of());
    server.ctl("add_user", "unseeing", "secret");
    server.ctl("set_permissions", "unseeing", "^$", "^unseen\\.orders$", "^$");
    RabbitPublisherConfig user =
        Broker.config(server)
            .credentials(new RabbitCredentials.Password("unseeing", "secret"))
            .build();
    RabbitTopology topology = RabbitTopology.builder().singleActiveQueue("unseen.orders").build();

    assertThat(new RabbitChecks(user, topology, null).declare())
        .singleElement()
        .returns(Check.RABBITMQ_DECLARATION_REFUSED, Finding::check)
        .returns("queue unseen.orders", Finding::subject);
  }
}
