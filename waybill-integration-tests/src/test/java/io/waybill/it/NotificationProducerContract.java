package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.waybill.RelayBuilder;
import io.waybill.Waybill;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.outbox.LayoutOutbox;
import io.waybill.it.NaiveProducer.Died;
import io.waybill.it.NaiveProducer.Fault;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.proof.ForwardingTables;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.proxy.LostReplies;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the documents of the event outbox producer describe: its tests, its failure scenarios, and
 * the claim that loses events there.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NotificationProducerContract {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));

  private final DatabaseKind kind;
  private @Nullable DatabaseServer database;
  private @Nullable RabbitServer rabbit;

  NotificationProducerContract(DatabaseKind kind) {
    this.kind = kind;
  }

  @BeforeAll
  void launch() {
    database = DatabaseServer.launch(kind);
    rabbit = RabbitServer.launch();
  }

  @AfterAll
  void close() {
    rabbit().close();
    database().close();
  }

  private DatabaseServer database() {
    return Objects.requireNonNull(database);
  }

  private RabbitServer rabbit() {
    return Objects.requireNonNull(rabbit);
  }

  private ProducerWorld world(TestInfo test) throws Exception {
    String method = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    String name = method.substring(0, Math.min(40, method.length()));
    String number = Integer.toString(Math.floorMod(test.getDisplayName().hashCode(), 1000));
    return new ProducerWorld(database(), rabbit(), name + number);
  }

  @Test
  void publishingAnEventTwiceSendsOneMessage(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      world.write("evt-1", "ADMIN", 1);
      try (Waybill first = world.relay("first").start()) {
        awaitProcessed(world, "evt-1");
        assertThat(first.stop(PATIENCE)).isTrue();
      }
      world.run("update event_outbox set status = 'PENDING', published_at = null");
      world.start(world.relay("second"));
      awaitProcessed(world, "evt-1");
      world.write("evt-2", "ADMIN", 1);
      awaitProcessed(world, "evt-2");

      assertThat(ids(tail)).containsExactly("evt-1", "evt-2");
    }
  }

  @Test
  void eachAggregateTypeHasItsQueueAndTheGenericMessage(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      long id = 40;
      for (String type : ProducerWorld.TYPES) {
        world.write("evt-" + type, type, ++id);
      }
      world.start(world.relay("relay"));
      await().atMost(PATIENCE).until(() -> tail.count() == 4);

      Map<String, String> queues = new HashMap<>();
      for (RabbitMessage message : tail.messages()) {
        JsonNode body = JsonMapper.shared().readTree(message.body());
        String type = body.path("aggregate_type").stringValue();
        queues.put(type, message.queue());
        assertThat(message.body())
            .isEqualToIgnoringWhitespace(
                """
                {"event_id":"evt-%1$s","event_type":"ORDER_CREATED","aggregate_type":"%1$s",
                "aggregate_id":%2$d,"payload":{"order":"evt-%1$s"}}"""
                    .formatted(type, 41 + ProducerWorld.TYPES.indexOf(type)));
      }
      assertThat(queues)
          .isEqualTo(
              Map.of(
                  "RESTAURANT", "notification.restaurant",
                  "CUSTOMER", "notification.customer",
                  "AGENCY", "notification.agency",
                  "ADMIN", "notification.admin"));
    }
  }

  @Test
  void processedEventIsCreatedAndFollowsTheEvent(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      world.start(world.relay("relay"));
      world.write("before", "CUSTOMER", 1);
      awaitProcessed(world, "before");
      rabbit().freeze();
      try {
        world.write("evt-1", "CUSTOMER", 1);
        await().atMost(PATIENCE).until(() -> "PROCESSING".equals(world.record("evt-1")));
        assertThat(world.status("evt-1")).isEqualTo("PENDING");
      } finally {
        rabbit().thaw();
      }
      awaitProcessed(world, "evt-1");
      assertThat(world.record("evt-1")).isEqualTo("SUCCESS");
      assertThat(world.value("select published_at from event_outbox where event_id = 'evt-1'"))
          .isNotNull();
      assertThat(
              world.value(
                  """
                  select count(*) from processed_event
                  where event_id = 'evt-1' and updated_at > created_at"""))
          .isEqualTo("1");
    }
  }

  @Test
  void rabbitTemporarilyDown(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      AtomicBoolean down = new AtomicBoolean();
      world.start(
          world
              .relay("relay")
              .listener(
                  event -> {
                    if (event instanceof RelayEvent.PublisherUnavailable) {
                      down.set(true);
                    }
                  }));
      world.write("before", "ADMIN", 1);
      awaitProcessed(world, "before");
      rabbit().kill();
      try {
        world.write("during", "ADMIN", 1);
        await().atMost(PATIENCE).untilTrue(down);
        assertThat(world.status("during")).isEqualTo("PENDING");
        assertThat(world.record("during")).isIn(null, "PROCESSING");
      } finally {
        rabbit().start();
      }
      awaitProcessed(world, "during");
      assertThat(ids(world.tail(), 2)).containsExactly("before", "during");
    }
  }

  @Test
  void databaseDown(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      AtomicBoolean failed = new AtomicBoolean();
      world.start(
          world
              .relay("relay")
              .listener(
                  event -> {
                    if (event instanceof RelayEvent.StoreFailed) {
                      failed.set(true);
                    }
                  }));
      world.write("before", "ADMIN", 1);
      awaitProcessed(world, "before");
      database().kill();
      try {
        await().atMost(PATIENCE).untilTrue(failed);
      } finally {
        database().start();
      }
      world.write("after", "ADMIN", 1);
      awaitProcessed(world, "after");
      assertThat(ids(tail)).containsExactly("before", "after");
    }
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

  @Test
  void aListenerDiesBeforeItsAcknowledgement(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      world.write("evt-1", "RESTAURANT", 1);
      world.start(world.relay("relay"));
      awaitProcessed(world, "evt-1");
      Channel dying = world.channel();
      GetResponse taken = dying.basicGet("notification.restaurant", false);
      assertThat(taken).isNotNull();
      dying.getConnection().abort();

      RabbitTail tail = world.tail();
      assertThat(ids(tail, 1)).containsExactly("evt-1");
      assertThat(tail.messages().get(0).redelivered()).isTrue();
    }
  }

  @Test
  void whatNoQueueTakesIsFailedWhenItsTimeIsUpAndTheOthersGoOn(TestInfo test) throws Exception {
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      world.start(world.relay("relay"));
      world.write("unknown", "PLANET", 1);
      world.write("known", "ADMIN", 1);
      await().atMost(PATIENCE).until(() -> "FAILED".equals(world.status("unknown")));
      awaitProcessed(world, "known");

      assertThat(world.record("unknown")).isEqualTo("FAILED");
      assertThat(world.value("select published_at from event_outbox where event_id = 'unknown'"))
          .isNull();
      assertThat(ids(tail)).containsExactly("known");
      assertThat(
              world.value(
                  "select concat(state, ' ', attempts) from waybill_event_outbox_row_state"))
          .isEqualTo("DEAD 0");
    }
  }

  @Test
  void severalProducersAtOncePublishEachEventOnceAndInOrder(TestInfo test) throws Exception {
    int events = 2_000;
    int keys = 40;
    try (ProducerWorld world = world(test)) {
      RabbitTail tail = world.tail();
      for (String name : List.of("one", "two", "three")) {
        world.start(world.relay(name));
      }
      try (Connection connection = world.database().getConnection()) {
        connection.setAutoCommit(false);
        for (int i = 0; i < events; i++) {
          String type = ProducerWorld.TYPES.get(i % keys % ProducerWorld.TYPES.size());
          world.insert(connection, "evt-%06d".formatted(i), type, i % keys);
          connection.commit();
        }
      }
      await().atMost(PATIENCE).until(() -> tail.count() >= events);
      await().atMost(PATIENCE).until(() -> "0".equals(world.value(UNFINISHED)));

      assertThat(ids(tail)).hasSize(events).doesNotHaveDuplicates();
      Map<String, String> last = new HashMap<>();
      for (RabbitMessage message : tail.messages()) {
        String key = JsonMapper.shared().readTree(message.body()).path("aggregate_id").toString();
        String before = last.put(key, message.id());
        assertThat(before == null ? "" : before).isLessThan(message.id());
      }
    }
  }

  static final String UNFINISHED =
      """
      select count(*) from event_outbox o
      left join processed_event p on p.event_id = o.event_id and p.status = 'SUCCESS'
      where o.status <> 'PROCESSED' or o.published_at is null or p.event_id is null""";

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
      LayoutOutbox real = world.outbox();
      LostReplies replies = new LostReplies(ConnectionFactory.of(world.database()));
      LayoutOutbox losing = world.outbox(replies);
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

    Tables(LayoutOutbox real, OutboxReader reader, OutboxStore store) {
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
    LayoutOutbox real = world.outbox();
    OutboxStore nothing =
        new OutboxStore() {
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
        .settings(NotificationProducerContract::quickly);
  }

  private static EngineSettings quickly(EngineSettings settings) {
    return settings.polling(Polling.adaptive());
  }

  private static void awaitProcessed(ProducerWorld world, String eventId) {
    await().atMost(PATIENCE).until(() -> "PROCESSED".equals(world.status(eventId)));
  }

  private static List<String> ids(RabbitTail tail) {
    return tail.messages().stream().map(RabbitMessage::id).toList();
  }

  private static List<String> ids(RabbitTail tail, int atLeast) {
    await().atMost(PATIENCE).until(() -> tail.count() >= atLeast);
    return ids(tail);
  }
}
