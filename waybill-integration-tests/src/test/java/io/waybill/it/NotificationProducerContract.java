package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.waybill.Waybill;
import io.waybill.database.DatabaseKind;
import io.waybill.observe.RelayEvent;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the documents of the event outbox producer describe: its tests, its failure scenarios. */
@Tag("server")
abstract class NotificationProducerContract extends NotificationContract {
  NotificationProducerContract(DatabaseKind kind) {
    super(kind);
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
}
