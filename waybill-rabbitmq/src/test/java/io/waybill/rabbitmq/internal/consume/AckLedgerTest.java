package io.waybill.rabbitmq.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AckLedgerTest {
  private final AckLedger ledger = new AckLedger();
  private final List<AckLedger.Entry> entries = new ArrayList<>();

  private void deliver(int count) {
    for (int i = 0; i < count; i++) {
      entries.add(ledger.add(entries.size() + 1));
    }
  }

  private void acknowledge(int... tags) {
    for (int tag : tags) {
      ledger.acknowledge(entries.get(tag - 1));
    }
  }

  private static AckLedger.Ack upTo(long tag) {
    return new AckLedger.Ack(tag, true);
  }

  private static AckLedger.Ack one(long tag) {
    return new AckLedger.Ack(tag, false);
  }

  @Test
  void theFirstOnesGoInOnePiece() {
    deliver(5);
    acknowledge(2, 1, 3);
    assertThat(ledger.take()).containsExactly(upTo(3));
    assertThat(ledger.take()).isEmpty();
    acknowledge(5, 4);
    assertThat(ledger.take()).containsExactly(upTo(5));
  }

  @Test
  void othersGoSinglyAndAreNotTaggedTwice() {
    deliver(6);
    acknowledge(2, 4);
    assertThat(ledger.take()).containsExactly(one(2), one(4));
    acknowledge(1);
    assertThat(ledger.take()).containsExactly(upTo(1));
    acknowledge(3, 3, 2);
    assertThat(ledger.take()).containsExactly(upTo(3));
    acknowledge(6, 5);
    assertThat(ledger.take()).containsExactly(upTo(6));
  }

  @Test
  void inAnyOrderTheBrokerHearsOfEachOnceAndOfNothingElse() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      AckLedger some = new AckLedger();
      List<AckLedger.Entry> open = new ArrayList<>();
      for (int tag = 1; tag <= 50; tag++) {
        open.add(some.add(tag));
      }
      Collections.shuffle(open, random);
      TreeSet<Long> acknowledged = new TreeSet<>();
      TreeSet<Long> unknown = new TreeSet<>();
      open.forEach(entry -> unknown.add(entry.tag()));
      for (AckLedger.Entry entry : open.subList(0, 40)) {
        some.acknowledge(entry);
        acknowledged.add(entry.tag());
        if (random.nextInt(4) == 0) {
          tell(some.take(), unknown, acknowledged);
        }
      }
      tell(some.take(), unknown, acknowledged);
      assertThat(unknown).as("seed %s", seed).hasSize(10).doesNotContainAnyElementsOf(acknowledged);
    }
  }

  /** Does what a broker does: an unknown tag would end the channel. */
  private static void tell(
      List<AckLedger.Ack> acks, NavigableSet<Long> unacknowledged, NavigableSet<Long> allowed) {
    for (AckLedger.Ack ack : acks) {
      assertThat(unacknowledged).contains(ack.tag());
      if (ack.multiple()) {
        assertThat(allowed).containsAll(unacknowledged.headSet(ack.tag(), true));
        unacknowledged.headSet(ack.tag(), true).clear();
      } else {
        unacknowledged.remove(ack.tag());
      }
    }
  }
}
