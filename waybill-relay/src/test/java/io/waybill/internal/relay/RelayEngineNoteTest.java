package io.waybill.internal.relay;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.policy.FailurePolicy;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the table is to show of rows that wait without a record. */
class RelayEngineNoteTest {
  private static final Duration STEP = Duration.ofMillis(100);

  /** Lets time pass; the database carries out everything. Returns the settlements. */
  private static List<Settlement> pass(EngineRun run, Duration time, Consumer<Outgoing> broker) {
    List<Settlement> settlements = new ArrayList<>();
    for (long left = time.dividedBy(STEP); left > 0; left--) {
      run.pass(STEP);
      run.answerAll();
      run.sends().forEach(broker);
      for (Effect.Settle settle : run.take(Effect.Settle.class)) {
        settlements.add(run.done(settle).settlement());
      }
    }
    return settlements;
  }

  static List<FailedRow> notes(EngineRun run, Duration time, Consumer<Outgoing> broker) {
    return notes(pass(run, time, broker)).toList();
  }

  private static Stream<FailedRow> notes(List<Settlement> settlements) {
    return settlements.stream().flatMap(settlement -> settlement.noted().stream());
  }

  @Test
  void ofAKeyWithoutAnswersTheFirstRowIsNotedWithTheSendsOfItAlone() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "a"));
    List<String> sent = new ArrayList<>();

    List<FailedRow> notes =
        notes(
            run,
            Duration.ofSeconds(15),
            message -> {
              sent.add(message.eventId());
              run.unknown(message);
            });

    assertThat(notes).hasSize(1);
    FailedRow note = notes.get(0);
    assertThat(note.row().eventId()).isEqualTo("e1");
    assertThat(note.row().sends())
        .isBetween(2, (int) sent.stream().filter(id -> id.equals("e1")).count());
    assertThat(note.state()).isEqualTo(RowState.RETRY);
    assertThat(note.attempts()).as("refusals of the message").isZero();
    assertThat(note.reason()).isEqualTo("timeout");
    assertThat(note.detail()).matches("since 1970-01-01T00:00:0\\dZ, no answer");
    assertThat(note.delayMillis()).isBetween(0L, 2_000L);
  }

  @Test
  void aKeyIsNotedOnceAMinute() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"), run.rowWithoutKey("orders"));

    List<FailedRow> notes = notes(run, Duration.ofMinutes(4), run::unknown);

    assertThat(notes).hasSize(3 * 4);
    assertThat(notes.subList(0, 3))
        .extracting(note -> note.row().eventId())
        .containsExactlyInAnyOrder("e1", "e2", "e3");
  }

  @Test
  void moreKeysThanAMinuteTakesHaveTheirTurns() {
    EngineRun run = EngineRun.of(EngineRun.bounds(200_000, 1 << 28, 8, 8)).started();
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    int all = 15_000;
    for (int first = 0; first < all; first += 1_000) {
      int from = first;
      OutboxRow[] rows = new OutboxRow[1_000];
      Arrays.setAll(rows, i -> run.row("orders", "k" + (from + i)));
      run.read(rows);
    }

    List<FailedRow> notes = notes(run, Duration.ofMinutes(4), message -> {});

    Map<String, Long> times =
        notes.stream().collect(groupingBy(note -> note.row().eventId(), counting()));
    assertThat(times).as("each is noted").hasSize(all);
    assertThat(times.values()).as("in turn").allMatch(count -> count >= 3 && count <= 4);
  }

  @Test
  void ofTroubleThatIsOverSoonNothingIsNoted() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"));
    List<Settlement> settlements = pass(run, Duration.ofSeconds(3), run::unknown);
    settlements.addAll(pass(run, Duration.ofMinutes(1), message -> run.confirm(List.of(message))));

    assertThat(notes(settlements)).isEmpty();
    assertThat(settlements.stream().flatMap(each -> each.published().stream())).hasSize(1);
  }

  @Test
  void aRowThatWasNeverSentIsNotedWithTheTroubleOfItsDestination() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"));
    Consumer<Outgoing> missing = message -> run.refuse(message, "topic-missing", false);
    assertThat(notes(run, Duration.ofSeconds(20), missing)).hasSize(1);
    run.read(run.row("orders", "b"), run.row("orders", "b"));

    List<FailedRow> notes = notes(run, Duration.ofSeconds(10), message -> {});

    assertThat(notes)
        .singleElement()
        .returns("e2", note -> note.row().eventId())
        .returns(0, note -> note.row().sends())
        .returns("topic-missing", FailedRow::reason)
        // By the clock of the rows' database, which stands still: 20 s behind at the second read.
        .satisfies(note -> assertThat(note.detail()).startsWith("since 1969-12-31T23:59:4"));
  }

  @Test
  void whileTheBrokerIsAwayRowsAreReadAndNoted() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.read(run.row("orders", "a"));

    List<FailedRow> notes = notes(run, Duration.ofSeconds(12), message -> {});

    assertThat(notes)
        .singleElement()
        .returns(0, note -> note.row().sends())
        .returns("broker-unavailable", FailedRow::reason)
        .returns(0L, FailedRow::delayMillis);
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    assertThat(run.sent()).containsExactly("e1");
  }

  @Test
  void aPausedDestinationIsNoted() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.pauseDestinations("orders");
    run.read(run.row("orders", "a"));
    List<FailedRow> notes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      run.pauseDestinations("orders");
      notes.addAll(notes(run, Duration.ofMillis(900), message -> {}));
    }
    assertThat(notes).singleElement().returns("paused", FailedRow::reason);
  }

  @Test
  void whatIsPublishedOrRefusedSaysHowOftenItWasSentInVain() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    OutboxRow fromTheTable = run.row("orders", "a").sends(5);
    run.read(fromTheTable, run.row("orders", "b"));
    List<Outgoing> sends = run.sends();
    run.unknown(sends.get(0));
    run.reject(sends.get(1));
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().failed())
        .singleElement()
        .returns(1, FailedRow::attempts)
        .returns(1, failed -> failed.row().sends());

    List<Settlement> settlements =
        pass(run, Duration.ofSeconds(3), message -> run.confirm(List.of(message)));

    assertThat(settlements.stream().flatMap(each -> each.published().stream()))
        .extracting(OutboxRow::sends)
        .containsExactly(6);
    assertThat(settlements.stream().flatMap(each -> each.recovered().stream()))
        .extracting(OutboxRow::sends)
        .containsExactly(1);
  }

  @Test
  void whatNeverLeftTheProcessAndCopiesForTheDeadLettersAreNoSendsOfTheRow() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS, bury).started();
    run.read(run.row("lost", "a"), run.row("orders", "b"));
    List<Outgoing> sends = run.sends();
    run.unknown(sends.get(0));
    run.notSent(sends.get(1));

    List<Settlement> settlements =
        pass(run, Duration.ofSeconds(3), message -> run.confirm(List.of(message)));

    assertThat(settlements.stream().flatMap(each -> each.failed().stream()))
        .extracting(failed -> failed.row().sends())
        .containsExactly(0);
    assertThat(settlements.stream().flatMap(each -> each.published().stream()))
        .extracting(OutboxRow::sends)
        .containsExactly(0);
  }

  @Test
  void aNoteThatWaitsIsDroppedWhenTheRowIsPublished() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("audit", "b"));
    List<Outgoing> first = run.sends();
    run.unknown(first.get(0));
    run.confirm(first.subList(1, 2));
    run.pass(Duration.ofMillis(20));
    Effect.Settle underWay = run.take(Effect.Settle.class).get(0);
    assertThat(underWay.settlement().published()).hasSize(1);
    List<Outgoing> probe = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      run.pass(STEP);
      run.answerAll();
      probe.addAll(run.sends());
    }
    assertThat(run.take(Effect.Settle.class)).as("one settlement at a time").isEmpty();
    run.confirm(probe);
    run.done(underWay);

    List<Settlement> settlements = pass(run, Duration.ofSeconds(1), message -> {});

    assertThat(notes(settlements)).isEmpty();
    assertThat(settlements.stream().flatMap(each -> each.published().stream()))
        .extracting(OutboxRow::sends)
        .containsExactly(1);
  }

  @Test
  void aNoteThatIsRefusedIsDroppedAndComesAgainInAMinute() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"));
    Effect.Settle note = noted(run);
    run.refused(note, true, "locked");

    List<Settlement> soon = pass(run, Duration.ofSeconds(50), run::unknown);
    assertThat(soon).isEmpty();
    assertThat(notes(run, Duration.ofSeconds(20), run::unknown)).hasSize(1);
  }

  private static Effect.Settle noted(EngineRun run) {
    for (int i = 0; i < 200; i++) {
      run.pass(STEP);
      run.answerAll();
      run.sends().forEach(run::unknown);
      List<Effect.Settle> asked = run.take(Effect.Settle.class);
      if (!asked.isEmpty()) {
        assertThat(asked.get(0).settlement().noted()).isNotEmpty();
        return asked.get(0);
      }
    }
    throw new IllegalStateException("nothing is noted");
  }

  @Test
  void oneNoteThatIsRefusedKeepsNoOtherFromBeingWritten() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"), run.row("orders", "c"));
    Effect.Settle all = noted(run);
    assertThat(all.settlement().noted()).hasSize(3);
    run.refused(all, true, "locked");

    List<String> written = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      run.pass(STEP);
      run.answerAll();
      run.sends();
      for (Effect.Settle settle : run.take(Effect.Settle.class)) {
        List<String> noted =
            settle.settlement().noted().stream().map(note -> note.row().eventId()).toList();
        if (noted.contains("e2")) {
          run.refused(settle, true, "locked");
        } else {
          run.done(settle);
          written.addAll(noted);
        }
      }
    }
    assertThat(written).containsExactlyInAnyOrder("e1", "e3");
  }

  @Test
  void aFirstRowThatGoesBackIntoTheDatabaseIsNotedWithThat() {
    EngineRun run = EngineRun.of(EngineRun.bounds(8, 1 << 20, 8, 8)).started();
    run.read(run.row("bad", "a"), run.row("bad", "a"));
    run.sends().forEach(run::unknown);
    run.read(run.row("good", "c"), run.row("good", "d"), run.row("good", "e"));
    run.pass(Duration.ofSeconds(1));
    run.read(run.row("bad", "b"));
    run.pass(Duration.ofMillis(60));

    List<Settlement> settlements = pass(run, Duration.ofMillis(300), message -> {});

    List<OutboxRow> held = settlements.stream().flatMap(each -> each.held().stream()).toList();
    assertThat(held).extracting(OutboxRow::eventId).contains("e6");
    assertThat(notes(settlements))
        .filteredOn(note -> note.row().eventId().equals("e6"))
        .singleElement()
        .returns("timeout", FailedRow::reason);
    assertThat(notes(settlements)).noneMatch(note -> note.row().eventId().equals("e2"));
  }

  @Test
  void aNoteThatIsRefusedKeepsNoRowFromBeingHeld() {
    EngineRun run = EngineRun.of(EngineRun.bounds(8, 1 << 20, 8, 8)).started();
    run.read(run.row("bad", "a"), run.row("bad", "a"));
    run.sends().forEach(run::unknown);
    run.read(run.row("good", "c"), run.row("good", "d"), run.row("good", "e"));
    run.pass(Duration.ofSeconds(1));
    run.read(run.row("bad", "b"));

    List<String> held = new ArrayList<>();
    boolean refused = false;
    for (int step = 0; step < 20; step++) {
      run.pass(STEP);
      run.answerAll();
      for (Effect.Settle settle : run.take(Effect.Settle.class)) {
        if (settle.settlement().noted().isEmpty()) {
          settle.settlement().held().forEach(row -> held.add(row.eventId()));
          run.done(settle);
        } else {
          refused = true;
          run.refused(settle, false, "out of range");
        }
      }
    }
    assertThat(refused).isTrue();
    assertThat(held).contains("e6");
  }
}
