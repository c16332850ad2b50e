package io.waybill.proof.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OracleTest {
  private static final Copy A1 = new Copy("a1", "a", 1, "h1");
  private static final Copy A2 = new Copy("a2", "a", 2, "h2");
  private static final Copy B1 = new Copy("b1", "b", 1, "h3");
  private static final List<Copy> COMMITTED = List.of(A1, A2, B1);

  private static Verdict of(Copy... delivered) {
    return Oracle.compare(COMMITTED, List.of(delivered), Set.of());
  }

  @Test
  void everythingOnceInOrderIsClean() {
    assertThat(of(A1, B1, A2)).isEqualTo(new Verdict(3, 3, 0, 0, 0, 0, 0, List.of()));
  }

  @Test
  void aMissingEventIsLost() {
    assertThat(of(A1, B1).lost()).isEqualTo(1);
  }

  @Test
  void aParkedEventIsNotLost() {
    assertThat(Oracle.compare(COMMITTED, List.of(A1, B1), Set.of("a2")).clean()).isTrue();
  }

  @Test
  void anEventThatWasNeverCommittedIsAGhost() {
    assertThat(of(A1, A2, B1, new Copy("x", "a", 9, "h")).ghosts()).isEqualTo(1);
  }

  @Test
  void aLaterEventBeforeAnEarlierOneOfItsKeyBreaksTheOrder() {
    assertThat(of(A2, A1, B1).orderViolations()).isEqualTo(1);
  }

  @Test
  void aSecondCopyIsADuplicateAndNoDisorder() {
    Verdict verdict = of(A1, A2, A1, B1);

    assertThat(verdict.duplicates()).isEqualTo(1);
    assertThat(verdict.clean()).isTrue();
  }

  @Test
  void anotherPayloadIsAltered() {
    assertThat(of(new Copy("a1", "a", 1, "other"), A2, B1).altered()).isEqualTo(1);
  }

  @Test
  void aSecondCopyIsComparedToo() {
    assertThat(of(A1, A2, B1, new Copy("a1", "a", 1, "other")).altered()).isEqualTo(1);
  }
}
