package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.spring.TestServers;
import io.waybill.spring.autoconfigure.InboxProperties.DeadLetters;
import io.waybill.testkit.RabbitServer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Places of dead letters on a real RabbitMQ: looked for, or made where that is wanted. */
@Tag("server")
class RabbitLetterPlacesTest {
  private static final String ORDERS = "orders-" + UUID.randomUUID();
  private static final String DEAD = "dead-" + UUID.randomUUID();

  @Test
  void queuesAndTheExchangeBeforeThemAreCheckedOrMade() {
    assertThat(found(false, ""))
        .extracting(Finding::check, Finding::subject)
        .contains(tuple(Check.RABBITMQ_QUEUE_MISSING, "queue " + ORDERS + ".dlt"))
        .doesNotContain(tuple(Check.RABBITMQ_EXCHANGE_MISSING, "exchange " + DEAD));
    assertThat(found(true, "")).isEmpty();
    assertThat(found(false, DEAD))
        .extracting(Finding::check, Finding::subject)
        .contains(tuple(Check.RABBITMQ_EXCHANGE_MISSING, "exchange " + DEAD))
        .doesNotContain(tuple(Check.RABBITMQ_QUEUE_MISSING, "queue " + ORDERS + ".dlt"));
    assertThat(found(true, DEAD)).isEmpty();
    assertThat(found(false, DEAD))
        .extracting(Finding::check)
        .as("nothing but that policies are not seen")
        .containsExactly(Check.RABBITMQ_POLICIES_UNSEEN);
  }

  private static List<Finding> found(boolean create, String exchange) {
    RabbitServer server = TestServers.rabbit();
    RabbitPublisherConfig config =
        RabbitPublisherConfig.builder()
            .addresses(List.of(server.host() + ":" + server.port()))
            .build();
    return new RabbitSide(config, null)
        .deadLetters(List.of(ORDERS), new DeadLetters(create, -1, exchange, "dead.{queue}"));
  }
}
