package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.torture.Events.Published;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each check fails on a history with what it is there for. */
class EffectsTest {
  private static final String LANE = "orders-0";
  private static final Published A1 = event("a-1", EventKind.PLAIN, LANE);
  private static final Published A2 = event("a-2", EventKind.SHAKY, LANE);
  private static final Published A3 = event("a-3", EventKind.MENDED, LANE);
  private static final Published A4 = event("a-4", EventKind.POISON, LANE);
  private static final Published B1 = event("b-1", EventKind.SLOW, "orders-1");
  private static final Published B2 = event("b-2", EventKind.BULKY, "orders-1");
  private static final List<Published> ALL = List.of(A1, A2, A3, A4, B1, B2);
  private static final List<String> APPLIED = List.of("a-1", "b-1", "a-2", "a-3");
  private static final List<String> LETTERS = List.of("a-4", "b-2");
  private static final Evidence.Processes PROCESSES =
      new Evidence.Processes(List.of(), List.of(), Set.of(), List.of(), List.of());

  private static Published event(String id, EventKind kind, String... lanes) {
    String key = id.substring(0, 1);
    return new Published(id, key, Long.parseLong(id.substring(2)), kind, Set.of(lanes));
  }

  private static Effects effects(
      List<Published> published, List<String> applied, List<String> letters) {
    return new Effects(published, applied, letters, List.of(), PROCESSES, false);
  }

  private static List<String> findings(List<String> applied, List<String> letters) {
    return effects(ALL, applied, letters).judge().findings();
  }

  @Test
  void oneOutcomeOfEachEventInOrderHasNoFindings() {
    assertThat(findings(APPLIED, LETTERS)).isEmpty();
    assertThat(effects(ALL, APPLIED, LETTERS).isComplete()).isTrue();
    // What a version cannot handle is dead, and one letter may come twice.
    assertThat(findings(List.of("a-1", "b-1", "a-2"), List.of("a-3", "a-4", "b-2", "a-4")))
        .isEmpty();
  }

  @Test
  void anEventWithoutOutcomeIsLost() {
    Effects effects = effects(ALL, List.of("a-1", "b-1", "a-3"), LETTERS);

    assertThat(effects.isComplete()).isFalse();
    assertThat(effects.judge().findings())
        .contains("1 events have neither effect nor dead letter (lost)");
    assertThat(effects.judge().figures().broken()).isEqualTo(1);
  }

  @Test
  void aSecondEffectIsFound() {
    assertThat(findings(List.of("a-1", "b-1", "a-2", "a-1", "a-3"), LETTERS))
        .contains("1 effects were made again (twice)");
  }

  @Test
  void anEventThatIsDeadAndAppliedIsFound() {
    assertThat(findings(APPLIED, List.of("a-4", "b-2", "a-3")))
        .contains("1 events have an effect and a dead letter");
  }

  @Test
  void aDatabaseThatForgetsMayForgetWhoWasDead() {
    assertThat(
            new Effects(ALL, APPLIED, List.of("a-4", "b-2", "a-3"), List.of(), PROCESSES, true)
                .judge()
                .findings())
        .isEmpty();
  }

  @Test
  void anOutcomeThatTheHandlerDoesNotHaveIsFound() {
    String wrong = "1 events were applied and had to fail, or are dead and had nothing wrong";

    assertThat(findings(List.of("a-1", "b-1", "a-2", "a-3", "a-4"), List.of("b-2")))
        .contains(wrong);
    assertThat(findings(List.of("b-1", "a-2", "a-3"), List.of("a-1", "a-4", "b-2")))
        .contains(wrong);
  }

  @Test
  void anOutcomeOfNoEventIsFound() {
    assertThat(findings(List.of("x-9", "a-1", "b-1", "a-2", "a-3"), LETTERS))
        .contains("1 effects or letters are of no event (ghosts)");
  }

  @Test
  void theOrderOfAKeyIsThatOfItsFirstCopies() {
    assertThat(findings(List.of("b-1", "a-2", "a-1", "a-3"), LETTERS))
        .contains("1 effects are out of the order of their keys");
    // Without a key there is none.
    List<Published> keyless =
        List.of(
            new Published("none-1", "", 1, EventKind.PLAIN, Set.of(LANE)),
            new Published("none-2", "", 2, EventKind.PLAIN, Set.of(LANE)));
    assertThat(effects(keyless, List.of("none-2", "none-1"), List.of()).judge().findings())
        .isEmpty();
  }

  @Test
  void theOrderAcrossAGrowthIsCountedApart() {
    Published moved = event("a-2", EventKind.PLAIN, "orders-4");
    Published both = event("a-3", EventKind.PLAIN, LANE, "orders-4");
    Published old = event("a-4", EventKind.PLAIN, LANE);
    List<Published> grown = List.of(A1, moved, both, old);

    Effects.Judgement apart =
        effects(grown, List.of("a-3", "a-2", "a-1", "a-4"), List.of()).judge();
    assertThat(apart.findings()).isEmpty();
    assertThat(apart.figures().ordersAcrossGrowth()).isEqualTo(2);

    // Within one partition it counts all the same, whatever came between.
    assertThat(effects(grown, List.of("a-4", "a-3", "a-2", "a-1"), List.of()).judge().findings())
        .contains("1 effects are out of the order of their keys");
  }

  @Test
  void aProcessThatEndsByItselfIsFound() {
    Evidence.Processes ended =
        new Evidence.Processes(
            List.of(new Fleet.SelfEnded("consumer-1", 1, 1_000)),
            List.of(),
            Set.of(),
            List.of(),
            List.of());

    assertThat(new Effects(ALL, APPLIED, LETTERS, List.of(), ended, false).judge().findings())
        .singleElement()
        .asString()
        .startsWith("a process ended by itself without a fault: ");
  }
}
