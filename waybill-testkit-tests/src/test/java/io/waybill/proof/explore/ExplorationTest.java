package io.waybill.proof.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExplorationTest {
  /** Some seconds of the build for all scopes; {@code ./simulate --explore} visits all states. */
  private static final int STATES = 10_000;

  private static final int FAULTY_STATES = 60_000;

  static Stream<Scope> scopes() {
    return Scopes.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("scopes")
  void everyPromiseIsKeptInEveryState(Scope scope) {
    Exploration shown = new Explorer(scope, STATES).run();

    assertThat(shown.histories()).isEmpty();
    assertThat(shown.states()).isGreaterThanOrEqualTo(STATES);
  }

  @Test
  void withoutFaultsEveryStateIsVisitedAndNothingArrivesTwice() {
    for (Scope scope : Scopes.ALL) {
      Exploration shown = new Explorer(scope.faults(0), 200_000).run();

      assertThat(shown.complete()).as(scope.name()).isTrue();
      assertThat(shown.histories()).as(scope.name()).isEmpty();
    }
  }

  @Test
  void everyActionIsTaken() {
    Set<Action> taken = EnumSet.noneOf(Action.class);
    for (Scope scope : List.of(Scopes.WRITERS, Scopes.KEY, Scopes.LOCKS, Scopes.HAND_OVERS)) {
      taken.addAll(new Explorer(scope.faults(1), 30_000).run().actions().keySet());
    }

    assertThat(taken).containsExactlyInAnyOrder(Action.values());
  }

  @Test
  @Tag("long")
  void everyPromiseIsKeptInAMillionStates() {
    int states = 0;
    for (Scope scope : Scopes.ALL) {
      Exploration shown = new Explorer(scope, 200_000).run();
      assertThat(shown.histories()).as(scope.name()).isEmpty();
      states += shown.states();
    }
    assertThat(states).isGreaterThan(1_000_000);
  }

  static Stream<Arguments> faultyProtocols() {
    return Stream.of(
        Arguments.of(Protocol.NO_CLAIM, Scopes.KEY.faults(0), "I4 every duplicate has a cause"),
        Arguments.of(Protocol.INSERT_CLAIM, Scopes.KEY.faults(1), Explorer.STUCK),
        Arguments.of(
            Protocol.INSERT_CLAIM_DELETED_ON_FAILURE, Scopes.KEY.faults(1), Explorer.STUCK),
        Arguments.of(Protocol.LEASE_WITHOUT_FENCE, Scopes.ZOMBIE, "I3 order per key"),
        Arguments.of(
            Protocol.UNKNOWN_COUNTS_AS_REJECTED, Scopes.BURIED, "never past an unknown outcome"),
        Arguments.of(Protocol.PASSES_UNKNOWN, Scopes.KEY, "I3 order per key"),
        Arguments.of(Protocol.FORGETS_QUIET, unlocked(Scopes.LOCKS), "I3 order per key"),
        Arguments.of(
            Protocol.LEAVES_AT_ONCE, Scopes.HAND_OVERS.faults(1), "I4 every duplicate has a cause"),
        Arguments.of(Protocol.TAKES_WITHOUT_FENCE, Scopes.LOCKS, "given up when it is quiet"),
        Arguments.of(Protocol.TAKES_WITHOUT_FENCE, unlocked(Scopes.ZOMBIE), "I3 order per key"));
  }

  @ParameterizedTest
  @MethodSource("faultyProtocols")
  void aFaultyProtocolBreaksItsPromise(Protocol protocol, Scope scope, String promise) {
    Exploration shown = new Explorer(scope.with(protocol), FAULTY_STATES).run();

    assertThat(shown.broken()).containsKey(promise);
    List<String> history = Objects.requireNonNull(shown.histories().get(promise));
    assertThat(history).last().asString().startsWith(promise);
    assertThat(history.stream().filter(line -> line.endsWith("(fault)")).count())
        .isLessThanOrEqualTo(scope.faults());
  }

  /** A relay does not know that its session has ended, and a message is refused meanwhile. */
  private static Scope unlocked(Scope scope) {
    return new Scope(
        scope.name(),
        scope.keys(),
        scope.lanes(),
        scope.pipelined(),
        scope.buries(),
        scope.attemptLimit(),
        scope.written(),
        scope.slowAnswers(),
        2,
        EnumSet.of(Action.END_SESSION, Action.REFUSE),
        scope.protocol());
  }

  /** What docs/evidence/reliability.md calls a limit; without burying there is none. */
  @Test
  void aCopyOfABuriedEventMayComeLateFromAFormerOwner() {
    Scope buried = ofTakeOver(Scopes.BURIED);
    Scope parked = ofTakeOver(Scopes.KEY);

    Exploration limit = new Explorer(buried, FAULTY_STATES).run();
    assertThat(limit.broken()).containsOnlyKeys("I3 order per key");
    List<String> history = Objects.requireNonNull(limit.histories().get("I3 order per key"));
    assertThat(history).last().asString().isEqualTo("I3 order per key: e0 is stored after e1");

    Exploration none = new Explorer(parked, 500_000).run();
    assertThat(none.complete()).isTrue();
    assertThat(none.histories()).isEmpty();
  }

  /** A new owner waits until the lease is over, so that there is no such copy. */
  @Test
  void aBuriedEventKeepsItsPlaceWhereALockEnds() {
    Scope locks = unlocked(Scopes.LOCKS).with(Protocol.BURIED_KEEPS_ITS_PLACE);

    Exploration shown = new Explorer(locks, 200_000).run();

    assertThat(shown.histories()).isEmpty();
  }

  /** A lease ends, and the new owner's copy is refused. */
  private static Scope ofTakeOver(Scope scope) {
    return new Scope(
        scope.name(),
        scope.keys(),
        scope.lanes(),
        scope.pipelined(),
        scope.buries(),
        1,
        scope.written(),
        scope.slowAnswers(),
        2,
        EnumSet.of(Action.EXPIRE, Action.REFUSE),
        Protocol.BURIED_KEEPS_ITS_PLACE);
  }

  @Test
  void theSameIsExploredEveryTime() {
    Exploration first = new Explorer(Scopes.KEY, 3_000).run();
    Exploration second = new Explorer(Scopes.KEY, 3_000).run();

    assertThat(second.states()).isEqualTo(first.states());
    assertThat(second.transitions()).isEqualTo(first.transitions());
    assertThat(second.actions()).isEqualTo(first.actions());
  }

  @Test
  void theCommandExploresOneScopeUnderAnotherProtocol() {
    String wanted = "insert-claim";
    Ended ended = run("--scope", "key", "--protocol", wanted, "--faults", "1", "--states", "60000");

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.text())
        .startsWith("key, insert claim: ")
        .contains(Explorer.STUCK, "(fault)")
        .endsWith("promises were broken\n");
  }

  @Test
  void theCommandExploresAllScopesWithSoManyStates() {
    Ended ended = run("--states", "200");

    assertThat(ended.code()).isZero();
    assertThat(ended.text()).endsWith("0 violations\n");
    assertThat(ended.text().lines()).hasSize(Scopes.ALL.size() + 2);
  }

  @Test
  void theCommandRefusesWhatItDoesNotKnow() {
    assertThat(run("--nonsense").code()).isEqualTo(2);
    assertThat(run("--scope", "nowhere").text()).contains("nowhere", "pipeline");
  }

  private record Ended(int code, String text) {}

  private static Ended run(String... options) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = Explore.run(options, new PrintStream(out, true, StandardCharsets.UTF_8));
    return new Ended(code, out.toString(StandardCharsets.UTF_8));
  }
}
