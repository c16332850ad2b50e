package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.Copy;
import io.waybill.proof.oracle.FaultWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Each check fails on a history with what it is there for. */
class JudgeTest {
  private static final long KILLED = 1_000_000;
  private static final FaultWindow KILL = new FaultWindow("relay-kill", "relay-1", KILLED, KILLED);
  private static final Copy A1 = new Copy("a1", "a", 1, "h1");
  private static final Copy A2 = new Copy("a2", "a", 2, "h2");
  private static final Copy B1 = new Copy("b1", "b", 1, "h3");
  private static final List<Copy> LEDGER = List.of(A1, A2, B1);
  private static final Set<String> IDS = Set.of("a1", "a2", "b1");
  private static final Evidence.Rows ROWS = new Evidence.Rows(0, 0, 0, true, IDS);
  private static final Evidence.Processes RELAYS =
      new Evidence.Processes(List.of(), List.of(), Set.of(), List.of(), List.of());
  private static final Evidence CLEAN =
      new Evidence(
          LEDGER,
          IDS,
          List.of(arrived(A1, 1), arrived(B1, 2), arrived(A2, 3)),
          List.of(KILL),
          ROWS,
          RELAYS,
          Set.of(),
          Set.of());

  private static Copy arrived(Copy copy, long at) {
    return new Copy(copy.eventId(), "", -1, copy.sha256(), at);
  }

  private static List<String> findings(Evidence evidence) {
    return Judge.of(evidence).findings();
  }

  private static Evidence delivered(UnaryOperator<List<Copy>> change) {
    List<Copy> copies = change.apply(new ArrayList<>(CLEAN.delivered()));
    return new Evidence(LEDGER, IDS, copies, CLEAN.causes(), ROWS, RELAYS, Set.of(), Set.of());
  }

  private static Evidence rows(Evidence.Rows rows) {
    return new Evidence(
        LEDGER, IDS, CLEAN.delivered(), CLEAN.causes(), rows, RELAYS, Set.of(), Set.of());
  }

  private static Evidence relays(Evidence.Processes relays) {
    return new Evidence(
        LEDGER, IDS, CLEAN.delivered(), CLEAN.causes(), ROWS, relays, Set.of(), Set.of());
  }

  @Test
  void everythingOnceAndInOrderHasNoFindings() {
    assertThat(findings(CLEAN)).isEmpty();
  }

  @Test
  void aLostEventIsFound() {
    Evidence evidence =
        delivered(
            copies -> {
              copies.remove(1);
              return copies;
            });

    assertThat(findings(evidence)).contains("1 committed events were not delivered (lost)");
    // Its row says that it was published.
    assertThat(findings(evidence))
        .contains("1 rows are called published that nobody received (false success)");
  }

  @Test
  void whatPeopleTookAwayIsNotLost() {
    Evidence.Rows rows = new Evidence.Rows(0, 0, 0, true, Set.of("a1", "a2"));
    List<Copy> copies = List.of(arrived(A1, 1), arrived(A2, 3));

    assertThat(
            findings(
                new Evidence(LEDGER, IDS, copies, List.of(), rows, RELAYS, Set.of("b1"), Set.of())))
        .isEmpty();
  }

  @Test
  void whatPeopleAskForAgainIsNoDuplicateWithoutACause() {
    List<Copy> copies =
        List.of(arrived(A1, 1), arrived(B1, 2), arrived(A2, 3), arrived(B1, 90_000));

    assertThat(
            findings(
                new Evidence(LEDGER, IDS, copies, List.of(), ROWS, RELAYS, Set.of(), Set.of("b1"))))
        .isEmpty();
    assertThat(
            findings(
                new Evidence(LEDGER, IDS, copies, List.of(), ROWS, RELAYS, Set.of(), Set.of())))
        .contains("1 duplicates have no cause");
  }

  @Test
  void anEventThatWasRolledBackIsFound() {
    Evidence evidence =
        delivered(
            copies -> {
              copies.add(new Copy("undone", "", -1, "h", 4));
              return copies;
            });

    assertThat(findings(evidence)).contains("1 delivered events were never committed (ghosts)");
  }

  @Test
  void swappedEventsAreFound() {
    Evidence evidence =
        delivered(
            copies -> {
              Collections.swap(copies, 0, 2);
              return copies;
            });

    assertThat(findings(evidence))
        .contains("1 first deliveries are out of the order of their keys");
  }

  @Test
  void aChangedByteIsFound() {
    Evidence evidence =
        delivered(
            copies -> {
              copies.set(0, new Copy("a1", "", -1, "other", 1));
              return copies;
            });

    assertThat(findings(evidence)).contains("1 copies differ from what was written");
  }

  @Test
  void aDuplicateWithoutACauseIsFoundAndOneWithACauseIsNot() {
    Evidence without =
        delivered(
            copies -> {
              copies.add(arrived(A1, 50));
              return copies;
            });
    Evidence with =
        delivered(
            copies -> {
              copies.set(0, arrived(A1, KILLED - 100));
              copies.add(arrived(A1, KILLED + 15_000));
              return copies;
            });

    assertThat(findings(without)).contains("1 duplicates have no cause");
    assertThat(findings(with)).isEmpty();
    assertThat(Judge.of(with).duplicates().byKind()).containsEntry("relay-kill", 1L);
  }

  @Test
  void anAcknowledgedCommitThatTheDatabaseForgotIsFound() {
    Evidence evidence =
        new Evidence(
            LEDGER,
            Set.of("a1", "gone"),
            CLEAN.delivered(),
            List.of(),
            ROWS,
            RELAYS,
            Set.of(),
            Set.of());

    assertThat(findings(evidence))
        .containsExactly("1 events whose commit was acknowledged are not in the database");
  }

  @Test
  void rowsThatDisagreeWithWhatWasDeliveredAreFound() {
    assertThat(findings(rows(new Evidence.Rows(2, 0, 0, true, IDS))))
        .containsExactly("2 rows are neither published nor given up");
    assertThat(findings(rows(new Evidence.Rows(0, 3, 0, true, IDS))))
        .containsExactly("3 events are dead, though none was refused");
    assertThat(findings(rows(new Evidence.Rows(0, 0, 4, true, IDS))))
        .containsExactly("4 events are parked or held, though none was refused");
    assertThat(findings(rows(new Evidence.Rows(0, 0, 0, true, Set.of("a1", "a2")))))
        .containsExactly("1 committed events have no row that calls them published");
    assertThat(findings(rows(new Evidence.Rows(0, 0, 0, false, Set.of())))).isEmpty();
    assertThat(findings(rows(new Evidence.Rows(0, 0, 0, false, Set.of("x")))))
        .containsExactly("1 rows are called published that nobody received (false success)");
  }

  @Test
  void aRelayThatEndsByItselfNeedsAFault() {
    Fleet.SelfEnded early = new Fleet.SelfEnded("relay-1", 70, KILLED - 1);
    Fleet.SelfEnded soon = new Fleet.SelfEnded("relay-1", 4, KILLED + 29_000);
    Fleet.SelfEnded late = new Fleet.SelfEnded("relay-1", 3, KILLED + 31_000);
    Evidence.Processes relays =
        new Evidence.Processes(
            List.of(early, soon, late), List.of(), Set.of(), List.of(), List.of());

    assertThat(findings(relays(relays)))
        .containsExactly(
            "a process ended by itself without a fault: " + early,
            "a process ended by itself without a fault: " + late);
  }

  @Test
  void anErrorLineNeedsAFault() {
    LogWatch.ErrorLine soon = new LogWatch.ErrorLine("relay-1.out", "x", KILLED + 1);
    LogWatch.ErrorLine late = new LogWatch.ErrorLine("relay-1.out", "y", KILLED + 31_000);
    Evidence.Processes relays =
        new Evidence.Processes(List.of(), List.of(soon, late), Set.of(), List.of(), List.of());

    assertThat(findings(relays(relays))).containsExactly("an ERROR line without a fault: " + late);
  }

  @Test
  void leaksAndMisbehaviourAreFindings() {
    Evidence.Processes relays =
        new Evidence.Processes(
            List.of(),
            List.of(),
            Set.of("relay-1.out has canary"),
            List.of("leak: relay-1 hold 99 threads, 20 in the beginning"),
            List.of("broker could not be healed"));

    assertThat(findings(relays(relays)))
        .containsExactly(
            "a payload or secret was logged: relay-1.out has canary",
            "leak: relay-1 hold 99 threads, 20 in the beginning",
            "broker could not be healed");
  }
}
