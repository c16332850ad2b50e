package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.policy.EngineSettings;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.Polling;
import io.waybill.store.ReadResult;
import io.waybill.store.RowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the engine reads, and how much. */
class RelayEngineReadTest {
  private static final EngineSettings DEFAULTS = EngineRun.DEFAULTS;
  private static final ReadResult NO_ROWS = new ReadResult(List.of(), false);

  @Test
  void readsAreBoundedByTheRowsAndBytesThatAreFree() {
    EngineRun run = EngineRun.of(EngineRun.bounds(10, 100_000, 100, 100)).started();
    assertReads(run.nextRead(), 10, 100_000);
    OutboxRow row = run.row("orders", "a", 1_000);
    run.apply(new Input.RowsRead(new ReadResult(List.of(row), true)));

    assertReads(run.nextRead(), 9, 100_000 - row.sizeBytes());
  }

  @ParameterizedTest
  @CsvSource({"10, 10000000, 10, 10", "1000, 10000, 4, 2000"})
  void nothingIsReadWhileTheRowsInMemoryFillTheirBudget(
      int maxRows, long maxBytes, int rows, int bytes) {
    EngineRun run = EngineRun.of(EngineRun.bounds(maxRows, maxBytes, 1000, 1000)).started();
    OutboxRow[] found = new OutboxRow[rows];
    for (int i = 0; i < rows; i++) {
      found[i] = run.row("orders", "k" + i, bytes);
    }
    run.read(found);
    List<Outgoing> sends = run.sends();
    assertThat(sends).hasSize(rows);
    waits(run);
    assertThat(run.take(Effect.Read.class)).as("while sends are in flight").isEmpty();

    // Confirmed is not yet settled: completion that lags stops the reading.
    run.confirm(sends);
    waits(run);
    assertThat(run.take(Effect.Read.class)).as("while settlements are out").isEmpty();

    run.settled();
    assertReads(run.nextRead(), Math.min(2000, maxRows), maxBytes);
  }

  @Test
  void aRowThatFailedWaitsBehindAnEarlierOneThatWentBackBeforeItsPageCame() {
    EngineRun owner = EngineRun.of(EngineRun.bounds(8, 1 << 20, 8, 8));
    OutboxRow earlier = owner.row("bad", "a");
    OutboxRow later = owner.row("bad", "a");
    List<FailedRow> page = new ArrayList<>(List.of(failed(earlier, 60)));
    page.add(failed(owner.row("bad", "b"), 0));
    for (String key : List.of("c", "d", "e", "f")) {
      page.add(failed(owner.row("good", key), 0));
    }
    owner.database.leave(new Backlog(page, List.of()));
    owner.assigned();
    List<Outgoing> sends = owner.sends();
    owner.unknown(sends.get(0));
    owner.confirm(sends.subList(1, sends.size()));
    owner.pass(Duration.ofMillis(60));
    List<OutboxRow> held = new ArrayList<>();
    for (int step = 0; step < 20; step++) {
      if (step == 10) {
        Backlog rest = new Backlog(List.of(failed(later, 0)), List.of());
        owner.apply(new Input.RowsRead(ReadResult.blocked(rest)));
      }
      owner.take(Effect.Settle.class).stream()
          .map(owner::done)
          .forEach(settle -> held.addAll(settle.settlement().held()));
      owner.pass(Duration.ofMillis(20));
    }

    assertThat(owner.sent()).doesNotContain(later.eventId());
    assertThat(held).extracting(OutboxRow::ref).containsSubsequence(earlier.ref(), later.ref());
  }

  private static FailedRow failed(OutboxRow row, long delayMillis) {
    return new FailedRow(row, RowState.RETRY, 1, false, delayMillis, "too-large", "no");
  }

  private static void assertReads(Effect.Read read, int rows, long bytes) {
    assertThat(read.maxRows()).isEqualTo(rows);
    assertThat(read.maxBytes()).isEqualTo(bytes);
  }

  private static void waits(EngineRun run) {
    for (int i = 0; i < 20; i++) {
      run.pass(Duration.ofMillis(100));
      List<Effect.Read> reads = run.take(Effect.Read.class);
      assertThat(reads).isEmpty();
      run.answerAll();
    }
  }

  @Test
  void aSignalReadsAtOnceAndSignalsInQuickSuccessionShareARead() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.idle(Duration.ofMillis(500));
    assertThat(run.untilDeadline()).isGreaterThan(Duration.ofMillis(30).toNanos());
    run.apply(Input.Signal.WAKE);
    assertThat(run.take(Effect.Read.class)).hasSize(1);
    run.apply(new Input.RowsRead(NO_ROWS));
    for (int i = 0; i < 10; i++) {
      run.apply(Input.Signal.WAKE);
    }
    assertThat(run.take(Effect.Read.class)).as("within 2 ms of the last read").isEmpty();
    run.pass(Duration.ofMillis(2));

    assertThat(run.take(Effect.Read.class)).hasSize(1);
  }

  @Test
  void readsOfAFixedDelayTakeItsBatchAndAFullOneIsFollowedAtOnce() {
    Polling polling = Polling.fixedDelay(Duration.ofMillis(700)).batch(100);
    EngineRun run = EngineRun.of(DEFAULTS.polling(polling)).started();
    assertThat(run.nextRead().maxRows()).isEqualTo(100);

    run.apply(new Input.RowsRead(new ReadResult(List.of(run.row("orders", "b")), true)));

    assertThat(run.take(Effect.Read.class)).as("at once").hasSize(1);
  }

  @Test
  void pollsFollowTheEventsAndGrowRareWhenNoneCome() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("orders", "a"));
    assertThat(run.untilDeadline()).isEqualTo(Duration.ofMillis(5).toNanos());

    List<Integer> reads = new ArrayList<>();
    for (int tenth = 0; tenth < 10; tenth++) {
      reads.add(0);
      for (int i = 0; i < 100; i++) {
        run.pass(Duration.ofMillis(1));
        if (!run.take(Effect.Read.class).isEmpty()) {
          reads.set(tenth, reads.get(tenth) + 1);
          run.apply(new Input.RowsRead(NO_ROWS));
        }
        run.answerAll();
      }
    }
    assertThat(reads).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(reads.get(0)).isGreaterThan(5);
    assertThat(reads.get(9)).isEqualTo(2);
  }

  @Test
  void anIdleReaderLooksAgainByItselfUntilTheNextLookAtRequests() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    assertThat(run.nextRead().watchNanos()).as("soon after the last rows").isZero();
    run.apply(new Input.RowsRead(NO_ROWS));
    run.idle(Duration.ofMillis(300));

    Effect.Read read = run.nextRead();
    assertThat(read.pauseNanos()).isEqualTo(Duration.ofMillis(50).toNanos());
    assertThat(read.watchNanos()).isBetween(1L, Duration.ofSeconds(1).toNanos());
  }

  @Test
  void whatCannotWaitHurriesAWatchingReaderOnce() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.idle(Duration.ofMillis(300));
    assertThat(run.nextRead().watchNanos()).isPositive();
    run.apply(Input.Signal.TICK);
    assertThat(run.take(Effect.WakeReader.class)).as("with nothing to do").isEmpty();

    run.apply(Input.Signal.WAKE);
    run.apply(Input.Signal.WAKE);
    assertThat(run.take(Effect.WakeReader.class)).hasSize(1);
    run.apply(new Input.RowsRead(new ReadResult(List.of(run.row("orders", "a")), false)));
    assertThat(run.sends()).hasSize(1);
    assertThat(run.nextRead().watchNanos()).as("after rows").isZero();
  }

  @Test
  void aStopHurriesAWatchingReader() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.idle(Duration.ofMillis(300));
    assertThat(run.nextRead().watchNanos()).isPositive();
    run.apply(Input.Signal.STOP);

    assertThat(run.take(Effect.WakeReader.class)).hasSize(1);
    run.apply(new Input.RowsRead(NO_ROWS));
    run.answerAll();
    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }
}
