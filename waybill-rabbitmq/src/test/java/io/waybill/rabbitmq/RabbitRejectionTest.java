package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which message of many the broker refuses, on a real node. */
@Tag("long")
class RabbitRejectionTest extends PublishingTest {
  private static final int BROKERS_LIMIT = 134_217_728;

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
    long poison = send(Destination.exchange("no-such-exchange", "x"), "poison", 100);
    for (int i = 250; i < 500; i++) {
      goodIds.add(send(good, "k" + i, 100));
    }
    awaitOutcomes(1, nextId - 1);
    assertThat(goodIds).allMatch(recorder::confirmed);
    assertRejected(poison, "exchange-missing", "no-such-exchange");
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
      Destination to = Broker.create(server, "poison-again", Broker.QUORUM);
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
}
