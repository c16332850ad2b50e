package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Waybill;
import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.Instruction;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.OnPublished;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.kafka.KafkaBroker;
import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.policy.FailurePolicy;
import io.waybill.proof.server.KafkaRetention;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What operators ask for, as a running relay carries it out. */
@Tag("server")
class OperatorTest {
  private static final Instruction BY = new Instruction("kim", "test");
  private static final FailurePolicy PARK = new FailurePolicy.Park();
  private static PostgresServer postgres;
  private static KafkaServer kafka;

  private String name = "unset";

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch("PLAINTEXT", KafkaRetention.settings());
  }

  @AfterAll
  static void close() {
    kafka.close();
    postgres.close();
  }

  @BeforeEach
  void create(TestInfo test) throws SQLException {
    name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    name = name.substring(0, Math.min(40, name.length()));
    postgres.createDatabase(name);
    kafka.createTopic(name, 1, Map.of());
    kafka.createTopic(dead(), 1, Map.of());
    try (Connection connection = postgres.dataSource(name).getConnection()) {
      Schemas.apply(connection);
    }
  }

  private String dead() {
    return name + ".dead";
  }

  @Test
  void aParkedEventHoldsItsKeyUntilItIsRetried() throws SQLException {
    try (Admin admin = admin();
        Waybill relay = startPaused(admin, PARK)) {
      append(relay, "first", name, "a");
      append(relay, "second", name, "a");
      append(relay, "other", name, "b");
      ask(admin, Verb.PARK, "first");
      awaitStatus(admin, "first", EventStatus.PARKED);
      admin.pause(name, false, BY);
      awaitArrivals("other");
      ask(admin, Verb.RETRY, "first");

      assertThat(awaitArrivals("other", "first", "second")).containsSubsequence("first", "second");
    }
  }

  @Test
  void aPausedDestinationGetsNothingUntilItIsResumed() throws SQLException {
    String busy = name + ".busy";
    kafka.createTopic(busy, 1, Map.of());
    try (Admin admin = admin();
        Waybill relay = startPaused(admin, PARK)) {
      for (int i = 0; i < 20; i++) {
        append(relay, "paused-" + i, name, "p" + i);
        append(relay, "busy-" + i, busy, "b" + i);
      }
      await().until(() -> ids(busy).size() == 20);
      assertThat(ids(name)).isEmpty();
      admin.pause(name, false, BY);

      await().until(() -> ids(name).size() == 20);
    }
  }

  @Test
  void aSkippedEventLetsItsKeyGoOn() throws SQLException {
    try (Waybill relay = start(PARK);
        Admin admin = admin()) {
      append(relay, "poison", "no topic", "a");
      append(relay, "behind", name, "a");
      awaitStatus(admin, "poison", EventStatus.PARKED);
      ask(admin, Verb.SKIP, "poison");

      awaitStatus(admin, "poison", EventStatus.DEAD);
      awaitArrivals("behind");
      assertThat(ids(dead())).isEmpty();
    }
  }

  @Test
  void whatCannotBePublishedIsBuriedWithACopyWhereThePolicySaysSo() throws SQLException {
    try (Waybill relay = start(new FailurePolicy.Bury(Destination.topic(dead())));
        Admin admin = admin()) {
      append(relay, "poison", "no topic", "a");
      append(relay, "behind", name, "a");
      awaitArrivals("behind");

      awaitStatus(admin, "poison", EventStatus.DEAD);
      assertThat(read(dead()))
          .singleElement()
          .satisfies(
              copy -> {
                assertThat(header(copy, "waybill-event-id")).isEqualTo("poison");
                assertThat(header(copy, "waybill-dead-reason")).isEqualTo("bad-destination");
                assertThat(header(copy, "waybill-dead-detail")).contains("no topic");
                assertThat(copy.value()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
              });
    }
  }

  @Test
  void anEventIsBuriedWithACopyOnRequest() throws SQLException {
    try (Admin admin = admin();
        Waybill relay = startPaused(admin, new FailurePolicy.Bury(Destination.topic(dead())))) {
      append(relay, "unwanted", name, "a");
      ask(admin, Verb.BURY, "unwanted");

      awaitStatus(admin, "unwanted", EventStatus.DEAD);
      assertThat(ids(dead())).containsExactly("unwanted");
      assertThat(ids(name)).doesNotContain("unwanted");
    }
  }

  @Test
  void aReplayedEventIsPublishedAgainWithAMark() throws SQLException {
    try (Waybill relay = start(PARK);
        Admin admin = admin()) {
      append(relay, "once", name, "a");
      awaitStatus(admin, "once", EventStatus.PUBLISHED);
      ask(admin, Verb.REPLAY, "once");
      await().until(() -> ids(name).size() == 2);

      assertThat(read(name).stream().map(copy -> header(copy, "waybill-replay")))
          .containsExactly("", "true");
    }
  }

  /** They were created eight days ago, and their topics keep seven. */
  @Test
  void eventsThatAreOldWhenTheyAreSentStayInTheirTopics() throws SQLException {
    try (Admin admin = admin();
        Waybill relay = startPaused(admin, new FailurePolicy.Bury(Destination.topic(dead())))) {
      appendOld(relay, "late", name, "a");
      appendOld(relay, "parked", name, "b");
      appendOld(relay, "poison", "no topic", "c");
      ask(admin, Verb.PARK, "parked");
      awaitStatus(admin, "parked", EventStatus.PARKED);
      admin.pause(name, false, BY);
      awaitStatus(admin, "late", EventStatus.PUBLISHED);
      ask(admin, Verb.RETRY, "parked");
      awaitStatus(admin, "parked", EventStatus.PUBLISHED);
      ask(admin, Verb.REPLAY, "late");
      awaitStatus(admin, "poison", EventStatus.DEAD);
      await().until(() -> ids(name).size() == 3);
      KafkaRetention.awaitLook(kafka, name + ".look");

      assertThat(ids(name)).containsExactly("late", "parked", "late");
      assertThat(ids(dead())).containsExactly("poison");
    }
  }

  private void appendOld(Waybill relay, String id, String type, String key) throws SQLException {
    try (Connection connection = postgres.dataSource(name).getConnection();
        PreparedStatement age = connection.prepareStatement(EIGHT_DAYS_OLD)) {
      connection.setAutoCommit(false);
      relay
          .outbox()
          .append(connection, Event.builder(type, "order", key).id(id).json("{}").build());
      age.setString(1, id);
      assertThat(age.executeUpdate()).isOne();
      connection.commit();
    }
  }

  private static final String EIGHT_DAYS_OLD =
      """
      update waybill_outbox set created_at = created_at - interval '8 days'
      where event_id = ?""";

  private Waybill start(FailurePolicy policy) {
    return Waybill.relay(name)
        .outbox(connections())
        .retention(Duration.ofDays(7))
        .broker(KafkaBroker.at(kafka.bootstrapServers()))
        .route("{eventType}")
        .failure(policy)
        .start();
  }

  /** A relay looks what is paused before it reads its first event. */
  private Waybill startPaused(Admin admin, FailurePolicy policy) {
    admin.pause(name, true, BY);
    return start(policy);
  }

  private ConnectionFactory connections() {
    return ConnectionFactory.postgres(postgres.jdbcUrl(name), new Properties());
  }

  private static PostgresOptions options() {
    return PostgresOptions.ofDefaults().onPublished(OnPublished.KEEP);
  }

  private Admin admin() {
    return PostgresOutbox.of(connections(), options()).admin();
  }

  private void append(Waybill relay, String id, String type, String key) throws SQLException {
    try (Connection connection = postgres.dataSource(name).getConnection()) {
      connection.setAutoCommit(false);
      relay
          .outbox()
          .append(connection, Event.builder(type, "order", key).id(id).json("{}").build());
      connection.commit();
    }
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Patience.of(Duration.ofMinutes(1)));
  }

  private static void ask(Admin admin, Verb verb, String id) {
    assertThat(admin.request(verb, EventFilter.ids(List.of(id)), 10, BY)).isOne();
  }

  private static void awaitStatus(Admin admin, String id, EventStatus status) {
    await().until(() -> admin.show(id).map(EventDetail::event).orElseThrow().status() == status);
  }

  private List<String> awaitArrivals(String... ids) {
    await().untilAsserted(() -> assertThat(ids(name)).containsExactlyInAnyOrder(ids));
    return ids(name);
  }

  private static List<String> ids(String topic) {
    return read(topic).stream().map(copy -> header(copy, "waybill-event-id")).toList();
  }

  private static String header(ConsumerRecord<byte[], byte[]> copy, String header) {
    var found = copy.headers().lastHeader(header);
    return found == null ? "" : new String(found.value(), StandardCharsets.UTF_8);
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, consumer.partitionsFor(topic).size())
              .mapToObj(i -> new TopicPartition(topic, i))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (all.stream()
          .anyMatch(p -> consumer.position(p) < Objects.requireNonNull(ends.get(p)))) {
        consumer.poll(Duration.ofMillis(100)).forEach(found::add);
      }
    }
    return found;
  }
}
