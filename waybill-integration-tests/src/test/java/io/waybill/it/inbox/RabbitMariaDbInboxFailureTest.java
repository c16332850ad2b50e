package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitChecks;
import io.waybill.rabbitmq.RabbitDeadLetters;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("long")
class RabbitMariaDbInboxFailureTest extends InboxFailureContract {
  private static RabbitServer broker;
  private static MariaDbServer databases;

  @BeforeAll
  static void launch() {
    broker = RabbitSource.launch();
    databases = MariaDbServer.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
    databases.close();
  }

  @Override
  EffectDatabase database(String name) {
    return EffectDatabase.create(databases, name);
  }

  @Override
  EffectSource another() {
    return new RabbitSource(RabbitSource.launch());
  }

  @Override
  EffectSource source() {
    return new RabbitSource(broker);
  }

  @Test
  void lettersGoThroughAnExchangeOnceItIsThereAndNothingIsLostBefore() throws Exception {
    RabbitDeadLetters letters = new RabbitDeadLetters("shop.dead", "dead.{queue}");
    RabbitPublisherConfig config =
        RabbitPublisherConfig.builder().addresses(List.of(source().address())).build();
    missing(
        "letters-exchange",
        letters::of,
        queues -> {
          RabbitChecks checks = new RabbitChecks(config, letters.topology(queues), null);
          List<Destination> places = queues.stream().map(letters::of).toList();
          assertThat(checks.check(places))
              .extracting(Finding::check, Finding::subject)
              .contains(tuple(Check.RABBITMQ_EXCHANGE_MISSING, "exchange shop.dead"));
          assertThat(checks.declare()).isEmpty();
          assertThat(checks.check(places))
              .extracting(Finding::check)
              .containsExactly(Check.RABBITMQ_POLICIES_UNSEEN);
        });
  }
}
