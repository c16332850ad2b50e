package io.waybill.kafka.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LaneTest {
  private static final int WINDOW = 20;
  private static final long BYTES = 1_000;

  private final Lane lane = new Lane(new TopicPartition("topic", 3));

  @Test
  void commitsNothingBeforeSomethingIsKnown() {
    assertThat(lane.name).isEqualTo("topic-3");
    assertThat(lane.mark()).isNull();
    lane.begin(7, 7, false, "");
    assertThat(Objects.requireNonNull(lane.mark()).position()).isEqualTo(7);
  }

  @Test
  void neverCommitsBeyondWhatIsNotAcknowledged() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Lane some = new Lane(new TopicPartition("t", 0));
      List<Lane.Entry> open = new ArrayList<>();
      List<Long> offsets = new ArrayList<>();
      long offset = random.nextInt(100);
      for (int i = 0; i < 30; i++) {
        open.add(some.add(offset, 1));
        offsets.add(offset);
        offset += 1 + random.nextInt(3);
      }
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      Set<Long> missing = new HashSet<>(offsets);
      long last = -1;
      for (int index : order) {
        some.acknowledge(open.get(index));
        missing.remove(offsets.get(index));
        Lane.Mark mark = some.mark();
        long first = missing.stream().min(Long::compare).orElse(offsets.get(29) + 1);
        if (mark != null) {
          assertThat(mark.position()).as("seed %s", seed).isEqualTo(first).isGreaterThan(last);
          last = mark.position();
          if (random.nextBoolean()) {
            some.committed(mark);
            assertThat(some.mark()).isNull();
          } else {
            last--;
          }
        }
      }
    }
  }

  @Test
  void isFullUntilWhatIsAcknowledgedIsCommittedToo() {
    List<Lane.Entry> entries = new ArrayList<>();
    for (int i = 0; i < WINDOW; i++) {
      assertThat(lane.isFull(WINDOW, BYTES)).isFalse();
      entries.add(lane.add(i, 1));
    }
    assertThat(lane.isFull(WINDOW, BYTES)).isTrue();
    entries.subList(0, 6).forEach(lane::acknowledge);
    assertThat(lane.isFull(WINDOW, BYTES)).isTrue();
    assertThat(lane.isPressing(WINDOW)).isTrue();
    lane.committed(Objects.requireNonNull(lane.mark()));
    assertThat(lane.isFull(WINDOW, BYTES)).isFalse();
    assertThat(lane.isPressing(WINDOW)).isFalse();
  }

  @Test
  void isFullByBytesUntilTheyAreAcknowledged() {
    Lane.Entry large = lane.add(0, 1_000);
    assertThat(lane.isFull(WINDOW, BYTES)).isTrue();
    lane.acknowledge(large);
    lane.acknowledge(large);
    assertThat(lane.isFull(WINDOW, BYTES)).isFalse();
  }

  @Test
  void suspectsNothingThatNobodyHasHad() {
    lane.begin(0, 0, true, "");
    assertThat(lane.isSuspect(0, WINDOW)).isFalse();
  }

  @Test
  void suspectsOnlyWhatWasThereAndAsManyAsAnOwnerCanHaveHad() {
    assertThat(lane.needsEnd()).isTrue();
    assertThat(lane.isSuspect(5, WINDOW)).isTrue();
    lane.end(7);
    assertThat(lane.isSuspect(6, WINDOW)).isTrue();
    assertThat(lane.isSuspect(7, WINDOW)).isFalse();
    lane.end(100);
    for (int i = 0; i < WINDOW; i++) {
      assertThat(lane.isSuspect(i, WINDOW)).isTrue();
      Lane.Entry unused = lane.add(i, 1);
    }
    assertThat(lane.isSuspect(WINDOW, WINDOW)).isFalse();
  }
}
