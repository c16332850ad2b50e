package io.waybill.bench.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnersTest {
  private static final Owners TWO = new Owners(Map.of(0, 1L, 1, 1L, 2, 2L));

  @Test
  void aLaneHasMovedWhenItHasAnotherSessionOrNone() {
    assertThat(TWO.movedSince(TWO)).isEmpty();
    assertThat(new Owners(Map.of(0, 3L, 1, 1L, 2, 0L)).movedSince(TWO))
        .containsExactlyInAnyOrder(0, 2);
  }

  @Test
  void lanesAreSharedWhenEachSessionHasItsPartAndNoneHasEnded() {
    assertThat(TWO.evenAmong(2, Set.of())).isTrue();
    assertThat(TWO.evenAmong(2, Set.of(2L))).as("one has ended").isFalse();
    assertThat(TWO.evenAmong(3, Set.of())).as("one has none").isFalse();
    assertThat(TWO.evenAmong(1, Set.of())).as("one has too many").isFalse();
    assertThat(new Owners(Map.of(0, 1L, 1, 0L)).evenAmong(2, Set.of())).as("one is free").isFalse();
    assertThat(new Owners(Map.of(0, 1L, 1, 1L, 2, 1L, 3, 2L)).evenAmong(2, Set.of()))
        .as("one has more than its part")
        .isFalse();
  }
}
