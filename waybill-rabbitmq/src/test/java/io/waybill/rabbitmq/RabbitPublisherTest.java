package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.GetResponse;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.PublisherRecorder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is particular to RabbitMQ, on a real node. */
class RabbitPublisherTest {
  private static final int BROKERS_LIMIT = 134_217_728;
  private static RabbitServer server;

  private final PublisherRecorder recorder = new PublisherRecorder();
  private RabbitPublisher publisher = new RabbitPublisher(RabbitPublisherConfig.builder().build());
  private long nextId = 1;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void close() {
    publisher.close();
    assertThat(recorder.repeated()).isEmpty();
  }

  @Test
  void blamesTheUnroutableOnesOfAMixedBurstAndNoOther() {
    Destination good = Broker.create(server, "mixed", Broker.QUORUM);
    Destination bad = Destination.exchange("mixed", "nobody");
    start(Broker.config(server));
    Set<Long> unroutable = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      boolean isBad = i % 7 == 3;
      long id = send(isBad ? bad : good, "k" + i, 100);
      if (isBad) {
        unroutable.add(id);
      }
    }
    awaitOutcomes(1, nextId - 1);
    for (long id = 1; id < nextId; id++) {
      if (unroutable.contains(id)) {
        assertRejected(id, "unroutable", "312", "'mixed'", "'nobody'");
      } else {
        assertThat(recorder.confirmed(id)).isTrue();
      }
    }
    assertThat(eventIds(Broker.drain(server, "mixed"))).hasSize(1000 - unroutable.size());
  }

  @Test
  void doubtsReturnsThatCannotBeTold() {
    Destination bad = Destination.exchange("amq.direct", "nobody");
    start(Broker.config(server));
    confirmOne(Broker.create(server, "doubt", Map.of()));
    Outgoing one = message(bad, "k", 10, "same-event");
    Outgoing two = message(bad, "k", 10, "same-event");
    publisher.send(one);
    publisher.send(two);
    awaitOutcomes(one.sendId(), two.sendId());
    assertThat(recorder.confirmed(one.sendId())).isFalse();
    assertThat(recorder.confirmed(two.sendId())).isFalse();
  }

  @Test
  void rejectsWhatAFullQueueRefuses() {
    Map<String, Object> full = new HashMap<>();
    full.put("x-max-length", 10);
    full.put("x-overflow", "reject-publish");
    Destination to = Broker.create(server, "full", full);
    start(Broker.config(server));
    for (int i = 0; i < 200; i++) {
      send(to, "k" + i, 100);
    }
    awaitOutcomes(1, 200);
    long confirmed = LongStream.rangeClosed(1, 200).filter(recorder::confirmed).count();
    assertThat(Broker.drain(server, "full")).hasSize((int) confirmed);
    assertThat(confirmed).isBetween(10L, 199L);
    assertRejected(200, "nacked", "'full'");
  }

  @Test
  void rejectsTheMissingExchangeAmongFiveHundredGoodOnesAndNothingElse() {
    Destination good = Broker.create(server, "five-hundred", Broker.QUORUM);
    start(Broker.config(server));
    confirmOne(good);
    List<Long> goodIds = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      goodIds.add(send(good, "k" + i, 100));
    }
    long guilty = send(Destination.exchange("no-such-exchange", "x"), "guilty", 100);
    for (int i = 250; i < 500; i++) {
      goodIds.add(send(good, "k" + i, 100));
    }
    awaitOutcomes(1, nextId - 1);
    assertThat(goodIds).allMatch(recorder::confirmed);
    assertRejected(guilty, "exchange-missing", "no-such-exchange");
  }

  @Test
  void findsTheGuiltyOneAfterAnExchangeVanished() {
    Destination good = Broker.create(server, "stays", Broker.QUORUM);
    Destination doomed = Broker.create(server, "vanishes", Broker.QUORUM);
    start(Broker.config(server));
    confirmOne(good);
    confirmOne(doomed);
    Broker.call(server, channel -> channel.exchangeDelete("vanishes"));
    Map<String, Destination> open = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      open.put("event-v" + i, i == 250 ? doomed : good);
    }
    Map<String, Confirmation.NotConfirmed> rejected = sendUntilDefinite(open);
    assertThat(rejected).containsOnlyKeys("event-v250");
    assertThat(rejected.values())
        .extracting(Confirmation.NotConfirmed::reason)
        .containsExactly("exchange-missing");
    Set<String> arrived = eventIds(Broker.drain(server, "stays"));
    assertThat(arrived).hasSize(500).doesNotContain("event-v250");
  }

  @Test
  void findsTheMessageThatIsTooLargeForTheBroker() {
    limitMessages(100_000);
    try {
      Destination to = Broker.create(server, "oversize", Broker.QUORUM);
      start(Broker.config(server));
      confirmOne(to);
      List<Long> mates = new ArrayList<>();
      Map<String, Confirmation.NotConfirmed> rejected = new HashMap<>();
      for (int round = 0; round < 2 && rejected.isEmpty(); round++) {
        mates.add(send(to, "before" + round, 10));
        Outgoing large = message(to, "large", 200_000, "large-event");
        publisher.send(large);
        awaitOutcomes(1, nextId - 1);
        if (recorder.outcome(large.sendId()) instanceof Confirmation.Rejected reason) {
          rejected.put("large-event", reason);
        }
      }
      assertThat(rejected.values())
          .extracting(Confirmation.NotConfirmed::reason)
          .containsExactly("precondition-failed");
      assertThat(mates).noneMatch(id -> recorder.outcome(id) instanceof Confirmation.Rejected);
    } finally {
      limitMessages(BROKERS_LIMIT);
    }
  }

  @Test
  void whatIsKnownToBeGuiltyDisturbsNoOther() {
    limitMessages(100_000);
    try {
      Destination to = Broker.create(server, "guilty-again", Broker.QUORUM);
      start(Broker.config(server));
      confirmOne(to);
      for (int attempt = 0; attempt < 5; attempt++) {
        // The first attempt is alone by chance.
        int mates = attempt == 0 ? 0 : 50;
        List<Long> before = sendTo(to, mates);
        Outgoing large = message(to, "large", 200_000, "large-event");
        publisher.send(large);
        List<Long> behind = sendTo(to, mates);
        awaitOutcomes(1, nextId - 1);
        assertRejected(large.sendId(), "precondition-failed", "closed the channel");
        assertThat(before).as("attempt " + attempt).allMatch(recorder::confirmed);
        assertThat(behind).as("attempt " + attempt).allMatch(recorder::confirmed);
      }
    } finally {
      limitMessages(BROKERS_LIMIT);
    }
  }

  private List<Long> sendTo(Destination to, int count) {
    return IntStream.range(0, count).mapToObj(i -> send(to, "mate" + i, 10)).toList();
  }

  private static void limitMessages(int bytes) {
    server.ctl("eval", "application:set_env(rabbit, max_message_size, " + bytes + ").");
    server.ctl("eval", "persistent_term:put(max_message_size, " + bytes + ").");
  }

  @Test
  void pausesUnderAMemoryAlarmAndFlowsAfterIt() {
    Destination to = Broker.create(server, "alarm", Broker.QUORUM);
    start(Broker.config(server).confirmTimeout(Duration.ofSeconds(2)));
    confirmOne(to);
    server.ctl("set_vm_memory_high_watermark", "0.0000001");
    try {
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                send(to, "probe", 10);
                return recorder.transport().equals(List.of("available", "unavailable"));
              });
      long first = nextId;
      for (int i = 0; i < 50; i++) {
        long start = System.nanoTime();
        send(to, "k" + i, 200_000);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
      }
      awaitOutcomes(first, nextId - 1);
      for (long id = first; id < nextId; id++) {
        assertThat(recorder.outcome(id)).isInstanceOf(Confirmation.Unknown.class);
      }
      assertThat(recorder.transport()).containsExactly("available", "unavailable");
    } finally {
      server.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    }
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> recorder.transport().size() == 3);
    confirmOne(to);
  }

  @Test
  void closesAtOnceWithAWriterThatTheBrokerKeepsWaiting() {
    Destination to = Broker.create(server, "stuck", Broker.QUORUM);
    start(Broker.config(server));
    confirmOne(to);
    server.ctl("set_vm_memory_high_watermark", "0.0000001");
    try {
      for (int i = 0; i < 60; i++) {
        send(to, "k" + i, 1_000_000);
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> recorder.transport().contains("unavailable"));
      long start = System.nanoTime();
      publisher.close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
      awaitOutcomes(1, nextId - 1);
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> publisherThreads() == 0);
    } finally {
      server.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    }
  }

  @Tag("long")
  @Test
  void leaksNothingOverTwentyReconnects() {
    Destination to = Broker.create(server, "reconnects", Broker.QUORUM);
    start(Broker.config(server).connections(1));
    confirmOne(to);
    long threads = publisherThreads();
    for (int i = 0; i < 20; i++) {
      int seen = recorder.transport().size();
      server.ctl("close_all_connections", "test");
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> recorder.transport().size() == seen + 2);
      confirmOne(to);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> {
              assertThat(publisherThreads()).isLessThanOrEqualTo(threads);
              assertThat(lines("list_connections", "pid")).hasSize(1);
              assertThat(lines("list_channels", "pid")).hasSize(4);
            });
  }

  @Test
  void takesTheConfirmsOfOneBurstAsRanges() {
    Destination to = Broker.create(server, "ranges", Broker.QUORUM);
    start(Broker.config(server).window(64));
    for (int i = 0; i < 5000; i++) {
      send(to, "k" + i, 20);
    }
    awaitOutcomes(1, 5000);
    assertThat(LongStream.rangeClosed(1, 5000)).allMatch(recorder::confirmed);
    assertThat(eventIds(Broker.drain(server, "ranges"))).hasSize(5000);
  }

  @Test
  void keepsTheOrderOfEachKeyOverSeveralConnections() {
    Destination to = Broker.create(server, "several", Broker.QUORUM);
    start(Broker.config(server).connections(3).maxInFlightPerKey(1000));
    for (int i = 0; i < 3000; i++) {
      send(to, "k" + i % 10, 20);
    }
    awaitOutcomes(1, 3000);
    Map<Long, Long> last = new HashMap<>();
    for (GetResponse message : Broker.drain(server, "several")) {
      long number = Long.parseLong(message.getProps().getMessageId().substring("event-".length()));
      Long before = last.put(number % 10, number);
      assertThat(before == null || before < number).isTrue();
    }
    assertThat(last).hasSize(10);
  }

  @Test
  void setsTheAmqpProperties() {
    Destination to = Broker.create(server, "properties", Broker.QUORUM);
    start(Broker.config(server));
    long id = confirmOne(to);
    GetResponse got = Broker.drain(server, "properties").get(0);
    assertThat(got.getProps().getMessageId()).isEqualTo("event-" + id);
    assertThat(got.getProps().getType()).isEqualTo("Tested");
    assertThat(got.getProps().getContentType()).isEqualTo("text/plain");
    assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
  }

  @Test
  void refusesToStartTwiceAndToSendBeforeTheStart() {
    start(Broker.config(server));
    assertThatThrownBy(() -> publisher.start(recorder)).isInstanceOf(IllegalStateException.class);
    try (RabbitPublisher other = new RabbitPublisher(Broker.config(server).build())) {
      assertThatThrownBy(() -> other.send(message(Destination.exchange("", "q"), "k", 1, "e")))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void reportsWrongCredentialsWithoutShowingThem() {
    RabbitCredentials wrong = new RabbitCredentials.Password("guest", "secret-word");
    start(Broker.config(server).credentials(wrong));
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> recorder.transport().equals(List.of("unavailable")));
    assertThat(wrong.toString()).doesNotContain("secret-word");
  }

  private void start(RabbitPublisherConfigBuilder config) {
    publisher = new RabbitPublisher(config.build());
    publisher.start(recorder);
  }

  private long send(Destination to, String key, int size) {
    Outgoing message = message(to, key, size, "event-" + nextId);
    publisher.send(message);
    return message.sendId();
  }

  private Outgoing message(Destination to, String key, int size, String eventId) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    byte[] body = new byte[size];
    return new Outgoing(
        nextId++, to, keyBytes, body, "text/plain", eventId, "Tested", 1000, List.of());
  }

  private long confirmOne(Destination to) {
    long id = send(to, "one", 10);
    awaitOutcomes(id, id);
    assertThat(recorder.outcome(id)).isEqualTo(new Confirmation.Confirmed(id));
    return id;
  }

  /** Sends each until it is confirmed or rejected, as a relay does after an unknown outcome. */
  private Map<String, Confirmation.NotConfirmed> sendUntilDefinite(Map<String, Destination> open) {
    Map<String, Confirmation.NotConfirmed> rejected = new HashMap<>();
    while (!open.isEmpty()) {
      Map<Long, String> sent = new HashMap<>();
      open.forEach(
          (eventId, to) -> {
            Outgoing message = message(to, eventId, 100, eventId);
            sent.put(message.sendId(), eventId);
            publisher.send(message);
          });
      awaitOutcomes(nextId - sent.size(), nextId - 1);
      sent.forEach(
          (id, eventId) -> {
            Confirmation outcome = recorder.outcome(id);
            if (outcome instanceof Confirmation.NotConfirmed reason
                && !(outcome instanceof Confirmation.Unknown)) {
              rejected.put(eventId, reason);
            }
            if (!(outcome instanceof Confirmation.Unknown)) {
              open.remove(eventId);
            }
          });
    }
    return rejected;
  }

  private void awaitOutcomes(long first, long last) {
    Awaitility.await()
        .atMost(publisher.deliveryTimeout().plusSeconds(5))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> LongStream.rangeClosed(first, last).allMatch(this::hasOutcome));
  }

  private boolean hasOutcome(long id) {
    return recorder.outcome(id) != null;
  }

  private void assertRejected(long id, String reason, String... words) {
    assertThat(recorder.outcome(id))
        .isInstanceOfSatisfying(
            Confirmation.NotConfirmed.class,
            rejected -> {
              boolean itsFault = reason.equals("precondition-failed");
              assertThat(rejected instanceof Confirmation.Rejected).isEqualTo(itsFault);
              assertThat(rejected instanceof Confirmation.Refused).isNotEqualTo(itsFault);
              assertThat(rejected.reason()).isEqualTo(reason);
              assertThat(rejected.detail()).contains(words);
            });
  }

  private static Set<String> eventIds(List<GetResponse> messages) {
    Set<String> ids = new HashSet<>();
    messages.forEach(message -> ids.add(message.getProps().getMessageId()));
    return ids;
  }

  private static List<String> lines(String... command) {
    return server.ctl(command).lines().filter(line -> line.startsWith("<")).toList();
  }

  private static long publisherThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("waybill-rabbit"))
        .count();
  }
}
