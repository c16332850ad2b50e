package io.waybill.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReconciliationTest {
  private static final Change A1 = new Change("e1", "a", 1);
  private static final Change A2 = new Change("e2", "a", 2);
  private static final Change A3 = new Change("e3", "a", 3);
  private static final Change B1 = new Change("e4", "b", 1);
  private static final List<Change> LEDGER = List.of(A1, A2, A3, B1);

  @Test
  void everythingOnceAndInOrderIsClean() {
    Reconciliation result = Reconciliation.of(LEDGER, List.of(B1, A1, A2, A3), Repairs.NONE);

    assertThat(result).isEqualTo(new Reconciliation(4, 4, 0, 0, 0, 0, 0));
    assertThat(result.clean()).isTrue();
  }

  @Test
  void aMissingEventIsLost() {
    Reconciliation result = Reconciliation.of(LEDGER, List.of(A1, A2, A3), Repairs.NONE);

    assertThat(result).isEqualTo(new Reconciliation(4, 3, 0, 1, 0, 0, 0));
    assertThat(result.clean()).isFalse();
  }

  @Test
  void anEventOfARolledBackTransactionIsAGhost() {
    Change ghost = new Change("e5", "b", 2);

    Reconciliation result =
        Reconciliation.of(LEDGER, List.of(A1, A2, ghost, A3, B1, ghost), Repairs.NONE);

    assertThat(result).isEqualTo(new Reconciliation(4, 4, 0, 0, 1, 0, 1));
    assertThat(result.clean()).isFalse();
  }

  @Test
  void aMessageThatTellsSomethingElseIsAGhostAndTheEventIsLost() {
    Change altered = new Change("e4", "b", 7);

    Reconciliation result = Reconciliation.of(LEDGER, List.of(A1, A2, A3, altered), Repairs.NONE);

    assertThat(result).isEqualTo(new Reconciliation(4, 3, 0, 1, 1, 0, 0));
  }

  @Test
  void firstCopiesOutOfSequenceViolateTheOrder() {
    Reconciliation result = Reconciliation.of(LEDGER, List.of(A2, A1, A3, B1), Repairs.NONE);

    assertThat(result.orderViolations()).isEqualTo(2);
    assertThat(result.clean()).isFalse();
  }

  @Test
  void copiesBeyondTheFirstAreDuplicatesAndBreakNoOrder() {
    Reconciliation result =
        Reconciliation.of(LEDGER, List.of(A1, A2, A1, A2, A3, B1, B1), Repairs.NONE);

    assertThat(result).isEqualTo(new Reconciliation(4, 4, 0, 0, 0, 0, 3));
    assertThat(result.clean()).isTrue();
  }

  @Test
  void whatAnOperatorGaveUpIsNotLostAndLeavesNoGap() {
    Reconciliation result =
        Reconciliation.of(LEDGER, List.of(A1, B1, A3), repairs(Set.of("e2"), Set.of()));

    assertThat(result).isEqualTo(new Reconciliation(4, 3, 1, 0, 0, 0, 0));
    assertThat(result.clean()).isTrue();
  }

  @Test
  void whatWasGivenUpAndArrivesLaterIsDelivered() {
    Reconciliation result =
        Reconciliation.of(LEDGER, List.of(A1, B1, A3, A2), repairs(Set.of("e2"), Set.of()));

    assertThat(result).isEqualTo(new Reconciliation(4, 4, 0, 0, 0, 0, 0));
  }

  @Test
  void aCorrectedEventIsNoGhost() {
    Change corrected = new Change("e9", "a", 2);

    Reconciliation result =
        Reconciliation.of(
            LEDGER, List.of(A1, B1, A3, corrected), repairs(Set.of("e2"), Set.of("e9")));

    assertThat(result).isEqualTo(new Reconciliation(4, 3, 1, 0, 0, 0, 0));
  }

  private static Repairs repairs(Set<String> givenUp, Set<String> corrected) {
    return new Repairs(givenUp, corrected, Set.of(), List.of());
  }
}
