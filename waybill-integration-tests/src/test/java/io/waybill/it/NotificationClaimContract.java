package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.RelayBuilder;
import io.waybill.Waybill;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.it.NaiveProducer.Died;
import io.waybill.it.NaiveProducer.Fault;
import io.waybill.policy.EngineSettings;
import io.waybill.proof.ForwardingTables;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.proxy.LostReplies;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The claim that loses events in the documents, and what Waybill makes of the same faults. */
@Tag("server")
abstract class NotificationClaimContract extends NotificationContract {
  NotificationClaimContract(DatabaseKind kind) {
    super(kind);
  }

  @Test
  void theProducerDiesAfterPublishingAndBeforeMarking(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      world.write("evt-1", "AGENCY", 1);
      try (Waybill dying = unsettling(world).start()) {
        await().atMost(PATIENCE).until(() -> tail.count() == 1);
        assertThat(world.status("evt-1")).isEqualTo("PENDING");
        assertThat(world.record("evt-1")).isEqualTo("PROCESSING");
        dying.stop(Duration.ofMillis(1));
      }
      world.start(world.relay("next"));
      awaitProcessed(world, "evt-1");

      // The copy of which nobody knew: the consumer's own check sorts it out. None is missing.
      assertThat(ids(tail)).hasSizeBetween(1, 2).containsOnly("evt-1");
      assertThat(world.record("evt-1")).isEqualTo("SUCCESS");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"DIES_AFTER_THE_CLAIM", "LOSES_THE_REPLY"})
  void theDocumentedClaimLosesAnEventAndWaybillDoesNot(Fault fault, TestInfo test)
      throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      world.write("evt-1", "CUSTOMER", 1);
      NaiveProducer naive = new NaiveProducer(world.database(), world.channel(), fault);
      if (fault == Fault.DIES_AFTER_THE_CLAIM) {
        assertThatThrownBy(naive::cycle).isInstanceOf(Died.class);
      } else {
        assertThat(naive.cycle()).isZero();
      }
      NaiveProducer restarted = new NaiveProducer(world.database(), world.channel(), Fault.NONE);
      for (int i = 0; i < 3; i++) {
        assertThat(restarted.cycle()).as("it skips its own claim for ever").isZero();
      }
      world.write("evt-2", "CUSTOMER", 2);
      assertThat(restarted.cycle()).as("while others go on").isOne();
      await().atMost(PATIENCE).until(() -> tail.count() == 1);
      assertThat(world.status("evt-1")).isEqualTo("PENDING");

      world.start(world.relay("relay"));
      awaitProcessed(world, "evt-1");
      await().atMost(PATIENCE).until(() -> tail.count() == 2);
      assertThat(tail.messages().get(1).id()).isEqualTo("evt-1");
      assertThat(world.record("evt-1")).isEqualTo("SUCCESS");
    }
  }

  @Test
  void waybillDiesBetweenItsClaimAndThePublish(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      world.write("evt-1", "CUSTOMER", 1);
      SilentPublisher silent = new SilentPublisher();
      try (Waybill dying = world.relay("dying").decoratePublisher(real -> silent).start()) {
        await().atMost(PATIENCE).until(() -> silent.taken() == 1);
        assertThat(world.record("evt-1")).isEqualTo("PROCESSING");
        dying.stop(Duration.ofMillis(1));
      }
      assertThat(world.status("evt-1")).isEqualTo("PENDING");
      world.start(world.relay("next"));
      awaitProcessed(world, "evt-1");
      assertThat(ids(tail, 1)).containsExactly("evt-1");
    }
  }

  @Test
  void waybillLosesTheReplyToItsClaim(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      TableOutbox real = world.outbox();
      LostReplies replies = new LostReplies(ConnectionFactory.of(world.database()));
      TableOutbox losing = world.outbox(replies);
      replies.loseNext();
      world.write("evt-1", "CUSTOMER", 1);
      world.start(world.relay("relay").tables(new Tables(real, losing.reader(), real.store())));
      awaitProcessed(world, "evt-1");

      assertThat(replies.lost()).isTrue();
      assertThat(ids(tail, 1)).containsExactly("evt-1");
    }
  }

  /** Parts of several outboxes. */
  private static final class Tables extends ForwardingTables {
    private final OutboxReader reader;
    private final OutboxStore store;

    Tables(TableOutbox real, OutboxReader reader, OutboxStore store) {
      super(real);
      this.reader = reader;
      this.store = store;
    }

    @Override
    public OutboxReader reader() {
      return reader;
    }

    @Override
    public OutboxStore store() {
      return store;
    }
  }

  /** A relay that can write nothing about what it did, as one that is dead. */
  private static RelayBuilder unsettling(ProducerWorld world) {
    TableOutbox real = world.outbox();
    OutboxStore nothing =
        new OutboxStore() {
          @Override
          public void warmUp(List<OutboxRow> rows) {}

          @Override
          public Settled settle(Session session, Settlement settlement) {
            throw new StoreException("Nothing can be settled", new IllegalStateException(), true);
          }

          @Override
          public void close() {}
        };
    return world
        .relay("dying")
        .tables(new Tables(real, real.reader(), nothing))
        .settings(NotificationClaimContract::quickly);
  }

  private static EngineSettings quickly(EngineSettings settings) {
    return settings.polling(Polling.adaptive());
  }
}
