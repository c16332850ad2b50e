package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.DestinationDeclaration.Part;
import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitTopology.ExchangeType;
import io.waybill.rabbitmq.RabbitTopology.QueueType;
import io.waybill.testkit.DeclarationContract;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitDeclarationTest extends DeclarationContract {
  private static RabbitServer server;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
    server.ctl("add_user", "powerless", "secret");
    server.ctl("set_permissions", "powerless", "^$", "^$", "^$");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RabbitBroker broker() {
    return RabbitBroker.of(Broker.config(server).build());
  }

  @Override
  protected DestinationDeclaration declaration() {
    return broker().declaration(null, QueueType.QUORUM, false);
  }

  @Override
  protected DestinationDeclaration silent() {
    return RabbitBroker.at("127.0.0.1:9").declaration(null, QueueType.QUORUM, false);
  }

  @Override
  protected DestinationDeclaration powerless() {
    return RabbitBroker.of(
            Broker.config(server)
                .credentials(new RabbitCredentials.Password("powerless", "secret"))
                .build())
        .declaration(null, QueueType.QUORUM, false);
  }

  @Override
  protected Publisher publisher() {
    return broker().publisher();
  }

  @Override
  protected Destination absent(String name) {
    return Destination.exchange(name, "key");
  }

  @Override
  protected @Nullable String queue(Destination destination) {
    return destination.target() + ".queue";
  }

  private static List<State> states(List<Part> parts) {
    return parts.stream().map(Part::state).toList();
  }

  @Test
  void whatIsDeclaredIsDurableAndOfTheKindThatWasAskedFor() {
    DestinationDeclaration declaration =
        broker().declaration(ExchangeType.DIRECT, QueueType.CLASSIC, true);
    assertThat(declaration.declare(absent("kinds"), "kinds.one"))
        .extracting(Part::state)
        .containsOnly(State.DECLARED);
    assertThat(declaration().declare(absent("defaults"), "defaults.one"))
        .extracting(Part::state)
        .containsOnly(State.DECLARED);

    assertThat(server.ctl("list_exchanges", "name", "type", "durable"))
        .contains("kinds\tdirect\ttrue", "defaults\ttopic\ttrue");
    assertThat(server.ctl("list_queues", "name", "type", "durable", "arguments"))
        .containsPattern("kinds\\.one\tclassic\ttrue\t.*single-active-consumer")
        .containsPattern("defaults\\.one\tquorum\ttrue\t")
        .doesNotContainPattern("defaults\\.one\t.*single-active-consumer");
    assertThat(server.ctl("list_bindings", "source_name", "destination_name", "routing_key"))
        .contains("kinds\tkinds.one\tkey");
  }

  @Test
  void aNewExchangeHasTheTypeThatTheTopologyGivesIt() {
    RabbitTopology topology =
        RabbitTopology.builder().exchange("fanned", ExchangeType.FANOUT).build();
    assertThat(
            broker()
                .topology(topology)
                .declaration(null, QueueType.QUORUM, false)
                .declare(absent("fanned"), null)
                .get(0))
        .isEqualTo(new Part("exchange fanned", State.DECLARED, "durable, of type fanout"));
  }

  /** Neither deleted nor declared anew; a binding is added. */
  @Test
  void anExchangeAndAQueueOfOtherTypesStayAndAreTold() {
    Destination destination = Broker.create(server, "other", Map.of());

    List<Part> parts = declaration().declare(destination, "other");

    assertThat(states(parts)).containsExactly(State.EXISTS, State.EXISTS, State.DECLARED);
    assertThat(parts.get(0).detail()).startsWith("not as durable, of type topic").contains("406");
    assertThat(parts.get(1).detail()).startsWith("not as durable, of type quorum").contains("406");
    assertThat(server.ctl("list_exchanges", "name", "type")).contains("other\tdirect");
  }

  @Test
  void withoutAQueueTheBindingIsUnknownOrMissing() {
    Destination destination = absent("unbound");
    assertThat(states(declaration().look(destination, null)))
        .containsExactly(State.MISSING, State.MISSING);
    assertThat(states(declaration().declare(destination, null)))
        .containsExactly(State.DECLARED, State.MISSING);
    assertThat(states(declaration().look(destination, null)))
        .containsExactly(State.EXISTS, State.UNKNOWN);
    assertThat(states(declaration().look(destination, "unbound.new")))
        .containsExactly(State.EXISTS, State.MISSING, State.MISSING);
  }

  @Test
  void theDefaultExchangeNeedsTheQueueOfTheRoutingKey() {
    Destination destination = Destination.exchange("", "straight");
    Part missing = new Part("queue straight", State.MISSING, "durable, of type quorum");
    assertThat(declaration().look(destination, null)).containsExactly(missing);
    assertThat(declaration().declare(destination, null))
        .containsExactly(new Part(missing.name(), State.DECLARED, missing.detail()));
    assertThat(states(declaration().declare(destination, null))).containsExactly(State.EXISTS);
  }

  /** The same code as of one that differs. */
  @Test
  void aQueueBeyondTheLimitOfItsVirtualHostIsRefused() {
    server.ctl("add_vhost", "full");
    server.ctl("set_vhost_limits", "-p", "full", "{\"max-queues\": 0}");
    server.ctl("set_permissions", "-p", "full", "guest", ".*", ".*", ".*");
    List<Part> parts =
        RabbitBroker.of(Broker.config(server).virtualHost("full").build())
            .declaration(null, QueueType.QUORUM, false)
            .declare(absent("limited"), "limited.one");
    assertThat(states(parts)).containsExactly(State.DECLARED, State.REFUSED, State.MISSING);
    assertThat(parts.get(1).detail()).contains("406").contains("limit");
  }

  @Test
  void aReservedNameIsRefused() {
    assertThat(declaration().declare(absent("amq.mine"), null).get(0))
        .returns(State.REFUSED, Part::state)
        .satisfies(part -> assertThat(part.detail()).contains("403"));
  }

  /** RabbitMQ 4 hides from them what is there. */
  @Test
  void aUserWithoutRightsIsToldSo() {
    Destination destination = Broker.create(server, "hidden", Map.of());
    assertThat(states(powerless().declare(destination, "hidden")))
        .isIn(List.of(State.EXISTS, State.EXISTS, State.REFUSED), List.of(State.REFUSED));
  }
}
