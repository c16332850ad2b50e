package io.waybill.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.RecordTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Publisher} has to keep, on a real broker. A publisher's test extends it, starts
 * the broker once and gives it by {@link #broker}.
 */
public abstract class PublisherContract extends PublisherFaultContract {
  /** For subclasses. */
  protected PublisherContract() {}

  /**
   * Whether a destination that is missing holds up no other one. A publisher over a library that
   * waits for it under a lock of its own can't promise that, and has to say so in its document.
   *
   * @return true unless the library forbids it
   */
  protected boolean keepsDestinationsApart() {
    return true;
  }

  @Test
  void saysThatTheBrokerAcceptsMessages() {
    publisher.start(recorder);
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(recorder.transport()).contains("available"));
  }

  @Test
  void carriesBodyHeadersKeyAndTimestampAsTheyAre() {
    Destination to = byCreation(broker.create("exact"));
    publisher.start(recorder);
    byte[] everyByte = new byte[256];
    IntStream.range(0, 256).forEach(i -> everyByte[i] = (byte) i);
    List<Header> headers =
        List.of(
            new Header("plain", "value"), new Header("ünï-名", "wert ÄÖ 名 𝄞"), new Header("e", ""));
    Outgoing full =
        new Outgoing(
            sender.reserve(1),
            to,
            "key-ß".getBytes(UTF_8),
            everyByte,
            "application/octet-stream",
            "event-full",
            "Tested",
            1_700_000_000_123L,
            headers);
    Outgoing empty = sender.message(to, "key-ß", new byte[0]);
    Outgoing bare = sender.message(to, null, "x".getBytes(UTF_8));
    List<Outgoing> all = List.of(full, empty, bare);
    sendAndConfirm(all);
    List<Received> stored = broker.stored(to);
    assertThat(stored).hasSize(3);
    all.forEach(sent -> assertThat(stored).anySatisfy(got -> broker.assertSame(sent, got)));
  }

  private static Destination byCreation(Destination to) {
    return new Destination(to.target(), to.routingKey(), to.partition(), RecordTime.CREATED);
  }

  @Test
  void datesAMessageByItsSendWhereTheBrokerKeepsItByThat() {
    Assumptions.assumeTrue(broker.keepsByTime(), "no message goes because of its time");
    Destination to = broker.create("dated");
    publisher.start(recorder);
    long before = System.currentTimeMillis();
    sendAndConfirm(List.of(sender.message(to, "k", new byte[1])));
    assertThat(broker.stored(to))
        .singleElement()
        .satisfies(
            got -> assertThat(got.timestampMillis()).isBetween(before, System.currentTimeMillis()));
  }

  @Test
  void carriesATombstone() {
    Destination to = byCreation(broker.create("tombstone"));
    publisher.start(recorder);
    Outgoing tombstone = sender.message(to, "gone", null);
    sendAndConfirm(List.of(tombstone));
    assertThat(broker.stored(to)).singleElement().satisfies(g -> broker.assertSame(tombstone, g));
  }

  @Test
  void keepsTheOrderOfEachKeyWithManyInFlightAndReportsEachSendOnce() {
    Destination to = broker.create("order");
    publisher.start(recorder);
    List<Outgoing> all = new ArrayList<>();
    for (int number = 0; number < 300; number++) {
      for (int key = 0; key < 10; key++) {
        all.add(sender.numbered(to, "k" + key, number));
      }
    }
    sendAndConfirm(all);
    List<Received> stored = broker.stored(to);
    assertThat(stored).hasSize(all.size());
    ContractAssertions.assertPrefixes(stored);
    assertThat(recorder.count()).isEqualTo(all.size());
    sender.assertOneOutcomeInTime();
    sender.assertNeverBlocked();
  }

  /** What no compression makes small. */
  private byte[] tooLarge() {
    byte[] body = new byte[broker.tooLargeBody()];
    new Random(1).nextBytes(body);
    return body;
  }

  @Test
  void refusesATooLargeMessageAndLetsItsMatesThrough() {
    Destination to = broker.create("toolarge");
    publisher.start(recorder);
    List<Long> mates = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      mates.add(sender.send(sender.numbered(to, "mate" + i, 0)));
    }
    long refused = sender.send(sender.message(to, "big", tooLarge()));
    for (int i = 20; i < 40; i++) {
      mates.add(sender.send(sender.numbered(to, "mate" + i, 0)));
    }
    publisher.flush();
    sender.awaitOutcomes(mates);
    sender.awaitOutcomes(List.of(refused));
    assertThat(recorder.outcome(refused)).isInstanceOf(Confirmation.Rejected.class);
    for (int i = 0; i < 40; i++) {
      if (!recorder.confirmed(mates.get(i))) {
        sender.sendUntilConfirmed(to, "mate" + i, 0);
      }
    }
    assertThat(ContractAssertions.firstArrivals(broker.stored(to))).hasSize(40);
  }

  @Test
  void holdsBackTheLaterSendsOfAKeyAfterARefusedOne() {
    Destination to = broker.create("heldback");
    publisher.start(recorder);
    long first = sender.send(sender.numbered(to, "k", 0));
    long refused = sender.send(sender.message(to, "k", tooLarge()));
    if (publisher.maxInFlightPerKey() == 1) {
      sender.awaitOutcomes(List.of(first, refused));
      assertThat(recorder.outcome(refused)).isInstanceOf(Confirmation.Rejected.class);
      return;
    }
    long behind = sender.send(sender.numbered(to, "k", 2));
    long other = sender.send(sender.numbered(to, "other", 0));
    publisher.flush();
    sender.awaitOutcomes(List.of(first, refused, behind, other));
    assertThat(recorder.outcome(refused)).isInstanceOf(Confirmation.Rejected.class);
    assertThat(recorder.outcome(behind))
        .isInstanceOfAny(Confirmation.Unknown.class, Confirmation.NotSent.class);
    assertThat(recorder.confirmed(first)).isTrue();
    sender.sendUntilConfirmed(to, "k", 1);
    sender.sendUntilConfirmed(to, "k", 2);
    ContractAssertions.assertPrefixes(broker.stored(to));
  }

  @Test
  void refusesBadNamesAndOversizedMetadataOfAMessage() {
    Destination to = broker.create("badnames");
    publisher.start(recorder);
    sender.sendUntilConfirmed(to, "k", 0);
    for (Outgoing bad : broker.refused(to, sender.reserve(100))) {
      sender.send(bad);
      publisher.flush();
      sender.awaitOutcomes(List.of(bad.sendId()));
      assertThat(recorder.outcome(bad.sendId()))
          .as("outcome for %s", bad.destination())
          .isInstanceOfAny(Confirmation.Rejected.class, Confirmation.Refused.class);
    }
    sender.sendUntilConfirmed(to, "k", 1);
    assertThat(broker.stored(to)).hasSize(2);
    sender.assertNeverBlocked();
  }

  @Test
  void aMissingDestinationHoldsUpNobodyElse() {
    Assumptions.assumeTrue(keepsDestinationsApart(), "the library makes destinations one by one");
    Destination good = broker.create("present");
    Destination missing = broker.absent("later");
    publisher.start(recorder);
    sender.sendUntilConfirmed(good, "good", 0);
    List<Long> lost = new ArrayList<>();
    List<Long> latencies = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      lost.add(sender.send(sender.numbered(missing, "bad" + i, 0)));
      long id = sender.send(sender.numbered(good, "good", i));
      publisher.flush();
      sender.awaitOutcomes(List.of(id));
      assertThat(recorder.confirmed(id)).as("good send %s: %s", i, recorder.outcome(id)).isTrue();
      latencies.add(sender.latencyMillis(id));
    }
    sender.awaitOutcomes(lost);
    assertThat(lost).noneMatch(recorder::confirmed);
    assertThat(latencies.stream().sorted().toList().get(50)).as("good latency, ms").isLessThan(500);
    sender.assertOneOutcomeInTime();
    sender.assertNeverBlocked();
    Destination created = broker.create("later");
    sender.sendUntilConfirmed(created, "bad1", 0);
    assertThat(broker.stored(created)).isNotEmpty();
  }

  private void sendAndConfirm(List<Outgoing> messages) {
    List<Long> ids = messages.stream().map(sender::send).toList();
    publisher.flush();
    sender.awaitOutcomes(ids);
    ids.forEach(id -> assertThat(recorder.outcome(id)).isInstanceOf(Confirmation.Confirmed.class));
  }
}
