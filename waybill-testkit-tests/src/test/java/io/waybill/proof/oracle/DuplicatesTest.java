package io.waybill.proof.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DuplicatesTest {
  private static final FaultWindow KILL = new FaultWindow("relay-kill", "a", 100_000, 100_000);
  private static final FaultWindow OUTAGE =
      new FaultWindow("broker-kill", "broker", 99_000, 140_000);

  private static Copy copy(String id, long at) {
    return new Copy(id, "key", -1, "hash", at);
  }

  private static Duplicates explain(List<FaultWindow> faults, Copy... copies) {
    return Duplicates.explain(List.of(copies), faults);
  }

  @Test
  void oneCopyOfEachNeedsNoCause() {
    assertThat(explain(List.of(), copy("a", 1), copy("b", 2)))
        .isEqualTo(new Duplicates(0, Map.of(), List.of()));
  }

  @Test
  void aFaultBetweenArrivalAndMarkIsACause() {
    Duplicates found = explain(List.of(KILL), copy("a", 99_500), copy("a", 116_000));

    assertThat(found.total()).isOne();
    assertThat(found.byKind()).isEqualTo(Map.of("relay-kill", 1L));
    assertThat(found.unexplained()).isEmpty();
  }

  @Test
  void aFaultAfterTheMarkOrBeforeTheClaimIsNone() {
    Copy first = copy("a", 96_000);
    Copy second = copy("a", 105_500);
    Copy third = copy("a", 106_000);

    assertThat(explain(List.of(KILL), first, copy("a", 116_000)).unexplained()).hasSize(1);
    assertThat(explain(List.of(KILL), second, third).unexplained())
        .containsExactly(new Duplicates.Pair(second, third));
  }

  @Test
  void aFaultAfterTheSecondCopyIsNone() {
    assertThat(explain(List.of(KILL), copy("a", 98_000), copy("a", 99_000)).unexplained())
        .hasSize(1);
  }

  @Test
  void eachCopyNeedsACauseOfItsOwn() {
    Duplicates found =
        explain(List.of(KILL), copy("a", 100_000), copy("a", 116_000), copy("a", 117_000));

    assertThat(found.total()).isEqualTo(2);
    assertThat(found.unexplained()).hasSize(1);
  }

  @Test
  void theFaultThatBeganLastCounts() {
    Duplicates found = explain(List.of(OUTAGE, KILL), copy("a", 100_100), copy("a", 141_000));

    assertThat(found.byKind()).isEqualTo(Map.of("relay-kill", 1L));
  }

  @Test
  void aFaultDoesNotEndBeforeItBegins() {
    assertThatThrownBy(() -> new FaultWindow("x", "y", 2, 1))
        .hasMessage("x must not end before it begins, lasts -1 ms");
  }
}
