package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.Inbox;
import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.proof.server.RabbitServer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The inbox's database fails over, and what was acknowledged does not come again. */
@Tag("server")
@Tag("long")
class RabbitFailoverTest {
  private static final int SOME = 300;
  private static final int KEYS = 12;

  private final List<InboxEvent.DatabaseChanged> changes = new CopyOnWriteArrayList<>();

  private void hear(InboxEvent event) {
    if (event instanceof InboxEvent.DatabaseChanged changed) {
      changes.add(changed);
    }
  }

  @Test
  void whatIsLostIsNamed() throws Exception {
    try (RabbitServer broker = RabbitSource.launch();
        ReplicatedDatabase database = ReplicatedDatabase.mariaDb()) {
      RabbitSource source = new RabbitSource(broker);
      List<String> queues = source.create("orders");
      try (Inbox inbox =
          Inbox.builder()
              .store(database.store())
              .subscriber(EffectConsumer.subscriber(source.kind(), source.address(), queues))
              .deadLetters(
                  EffectConsumer.letters(source.kind(), source.address()), Transport.RABBITMQ)
              .handler(EffectConsumer.TYPE, database::apply)
              .listener(this::hear)
              .start()) {
        source.publish("orders", copies(0));
        database.awaitEffects(SOME);
        database.awaitReplica();
        database.cutOff();
        source.publish("orders", copies(SOME));
        database.awaitEffects(2 * SOME);
        database.kill();
        database.promote();
        source.publish("orders", copies(2 * SOME));
        ReplicatedDatabase.await(() -> !changes.isEmpty());

        Set<String> applied = database.applied();
        List<String> lost =
            copies(SOME).stream().map(Copies.Copy::id).filter(id -> !applied.contains(id)).toList();
        System.out.printf("lost %d, named %d%n", lost.size(), changes.get(0).lost().size());
        assertThat(lost).isNotEmpty();
        assertThat(changes)
            .singleElement()
            .satisfies(
                changed -> {
                  assertThat(changed.again()).isFalse();
                  assertThat(changed.lost()).containsExactlyInAnyOrderElementsOf(lost);
                });
        assertThat(inbox.problem())
            .hasValueSatisfying(
                problem -> assertThat(problem).contains("lacks " + lost.size() + " events"));
      }
    }
  }

  private static List<Copies.Copy> copies(int first) {
    return IntStream.range(first, first + SOME)
        .mapToObj(n -> new Copies.Copy("k" + n % KEYS, "k" + n % KEYS + "-" + n / KEYS))
        .toList();
  }
}
