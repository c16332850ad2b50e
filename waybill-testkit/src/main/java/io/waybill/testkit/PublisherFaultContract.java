package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a publisher has to keep when its broker is killed, frozen or not there, and when it closes.
 */
abstract class PublisherFaultContract {
  // How long to wait for what has to come; says nothing about how fast it is.
  static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));

  ContractBroker broker;
  Publisher publisher;
  PublisherRecorder recorder;
  ContractSender sender;

  /**
   * The broker under the publisher, running.
   *
   * @return the same broker for all tests of the class
   */
  protected abstract ContractBroker broker();

  @BeforeEach
  void open() {
    broker = broker();
    publisher = broker.publisher();
    recorder = new PublisherRecorder();
    sender = new ContractSender(publisher, recorder);
  }

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void recoversByItselfFromAKilledBroker() {
    Destination to = broker.create("killed");
    publisher.start(recorder);
    sender.sendUntilConfirmed(to, "warm", 0);
    Map<String, List<Long>> sends = new HashMap<>();
    burst(sends, to, 200);
    broker.kill();
    burst(sends, to, 10);
    sender.awaitOutcomes(sends.values().stream().flatMap(List::stream).toList());
    sender.assertOneOutcomeInTime();
    sender.assertNeverBlocked();
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(recorder.transport()).contains("unavailable"));
    broker.restart();
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(recorder.transport().lastIndexOf("available")).isPositive());
    assertPrefixesAndFinish(to, sends);
  }

  @Test
  void keepsTheOrderWhenABrokerIsFrozenForLongerThanTheDeliveryTimeout() {
    Destination to = broker.create("frozen");
    publisher.start(recorder);
    sender.sendUntilConfirmed(to, "warm", 0);
    Map<String, List<Long>> sends = new HashMap<>();
    burst(sends, to, 100);
    broker.freeze();
    try {
      burst(sends, to, 100);
      sender.awaitOutcomes(sends.values().stream().flatMap(List::stream).toList());
    } finally {
      broker.thaw();
    }
    List<Long> last = sends.values().stream().map(ids -> ids.get(ids.size() - 1)).toList();
    assertThat(last).allMatch(id -> recorder.outcome(id) instanceof Confirmation.Unknown);
    sender.assertOneOutcomeInTime();
    sender.assertNeverBlocked();
    assertPrefixesAndFinish(to, sends);
  }

  @Test
  void closeReportsTheOutstandingSendsAsUnknown() {
    Destination to = broker.create("closed");
    publisher.start(recorder);
    sender.sendUntilConfirmed(to, "warm", 0);
    broker.freeze();
    try {
      List<Long> sends = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        sends.add(sender.send(sender.numbered(to, "k" + i, 0)));
      }
      publisher.flush();
      publisher.close();
      publisher.close();
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(2)))
          .until(() -> sends.stream().allMatch(id -> recorder.outcome(id) != null));
      assertThat(sends).allMatch(id -> recorder.outcome(id) instanceof Confirmation.Unknown);
      assertThat(recorder.repeated()).isEmpty();
    } finally {
      broker.thaw();
    }
  }

  @Test
  void startsWithoutABrokerAndReportsWhenItComes() {
    Destination to = broker.create("early");
    broker.kill();
    try {
      publisher.start(recorder);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> recorder.transport().equals(List.of("unavailable")));
      long early = sender.send(sender.numbered(to, "k", 0));
      publisher.flush();
      sender.awaitOutcomes(List.of(early));
      assertThat(recorder.confirmed(early)).isFalse();
      sender.assertNeverBlocked();
    } finally {
      broker.restart();
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> recorder.transport().equals(List.of("unavailable", "available")));
    sender.sendUntilConfirmed(to, "k", 0);
    assertThat(broker.stored(to)).isNotEmpty();
  }

  /** Sends the next numbers of 5 keys: one of each where the publisher allows no more. */
  private void burst(Map<String, List<Long>> sends, Destination destination, int count) {
    boolean single = publisher.maxInFlightPerKey() == 1;
    for (int i = 0; i < (single ? 1 : count); i++) {
      for (int key = 0; key < 5; key++) {
        List<Long> ids = sends.computeIfAbsent("k" + key, k -> new ArrayList<>());
        ids.add(sender.send(sender.numbered(destination, "k" + key, ids.size())));
      }
    }
    publisher.flush();
    boolean first = sends.values().stream().allMatch(ids -> ids.size() == 1);
    if (single && first) {
      sender.awaitOutcomes(sends.values().stream().flatMap(List::stream).toList());
    }
  }

  /**
   * The essence of the contract: what was confirmed of a key is a prefix and stored, what was
   * stored has no hole, and sending the rest again in order gives every number in order.
   */
  private void assertPrefixesAndFinish(Destination to, Map<String, List<Long>> sends) {
    sends.values().forEach(sender::assertConfirmedPrefix);
    Map<String, Integer> next = new HashMap<>();
    sends.forEach(
        (key, ids) -> next.put(key, (int) ids.stream().filter(recorder::confirmed).count()));
    next.forEach((key, number) -> sender.sendUntilConfirmed(to, key, number));
    next.forEach((key, number) -> sender.sendUntilConfirmed(to, key, number + 1));
    List<Received> stored = broker.stored(to);
    ContractAssertions.assertPrefixes(stored);
    Set<String> bodies = stored.stream().map(ContractAssertions::text).collect(Collectors.toSet());
    next.forEach(
        (key, confirmed) ->
            assertThat(bodies)
                .containsAll(IntStream.range(0, confirmed).mapToObj(i -> key + "/" + i).toList()));
  }
}
