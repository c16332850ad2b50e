package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.relay.KeyQueue.Parked;
import io.waybill.internal.relay.RestingLane.Resting;
import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys of which a relay keeps little come back as they were. */
class RestingKeysTest {
  private static final long CREATED = 1_700_000_000_000_000L;

  private static Resting parkedAt(Object rowId) {
    RowRef row = new RowRef(rowId, CREATED - 7);
    return new Resting(
        new EventKey("Auftrag", "größe/" + rowId), new Parked(row, true, null), true, 0);
  }

  @Test
  void aKeyIsReadAsItWasWritten() {
    RestingLane lane = new RestingLane(CREATED);
    List<Resting> keys =
        List.of(
            parkedAt(Long.MIN_VALUE),
            parkedAt(4711L),
            parkedAt(new UUID(-1, 3)),
            parkedAt("01J-ü"),
            new Resting(new EventKey("", "12"), null, true, 1_099));
    keys.forEach(lane::add);

    assertThat(lane.waiting(1_099)).isEqualTo(1);
    assertThat(lane.parked()).isEqualTo(4);
    assertThat(keys).allSatisfy(key -> assertThat(lane.take(key.name())).isEqualTo(key));
    assertThat(keys).allSatisfy(key -> assertThat(lane.take(key.name())).isNull());
    assertThat(lane.size() + lane.parked() + lane.waiting(1_099)).isZero();
  }

  @Test
  void keysComeAndGoInAnyOrder() {
    RestingLane lane = new RestingLane(CREATED);
    Map<EventKey, Resting> rest = new HashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 200_000; i++) {
      EventKey name = new EventKey("order", "k" + random.nextInt(5_000));
      Resting known = rest.remove(name);
      assertThat(lane.take(name)).isEqualTo(known);
      if (known == null || random.nextBoolean()) {
        Parked row = new Parked(new RowRef((long) i, CREATED + i), false, null);
        Resting key = new Resting(name, row, random.nextBoolean(), 0);
        lane.add(key);
        rest.put(name, key);
      }
    }

    assertThat(lane.size()).isEqualTo(rest.size());
    assertThat(lane.bytes()).isLessThan(90L * 5_000);
    rest.values().forEach(key -> assertThat(lane.take(key.name())).isEqualTo(key));
  }

  private static final EngineSettings ONE_KEY = EngineRun.DEFAULTS.bounds(1_000, 1);

  private final EngineRun run = EngineRun.of(ONE_KEY).started();

  private OutboxRow parked(String key) {
    OutboxRow row = run.row("a", key);
    FailedRow failed = new FailedRow(row, RowState.PARKED, 3, true, 0, "too-large", "");
    run.apply(new Input.RowsRead(ReadResult.blocked(new Backlog(List.of(failed), List.of()))));
    run.stands(row, EventState.PARKED);
    return row;
  }

  @Test
  void whatArrivesForAKeyThatRestsWaitsAndGoesOnWithinAMinute() {
    parked("first");
    OutboxRow blocking = parked("k");
    OutboxRow behind = run.row("a", "k");
    RunHolds.hold(run, behind);
    assertThat(run.told(RelayEvent.ManyKeysBlocked.class)).isNotEmpty();

    RunHolds.setBack(run, blocking, behind);
  }

  @Test
  void aRowThatTheReaderReturnsAnewWasSetBackAlsoIfItsKeyRests() {
    parked("first");
    OutboxRow row = parked("k");

    run.read(row);

    assertThat(run.sent()).containsExactly(row.eventId());
  }

  @Test
  void keysThatRestUntilTheirLaneIsReadAreReadThen() {
    EngineRun fresh = EngineRun.of(ONE_KEY).assigned();
    List<OutboxRow> rows = List.of(fresh.row("a", "a"), fresh.row("a", "b"), fresh.row("a", "c"));
    List<HeldKey> held =
        rows.stream().map(row -> new HeldKey(HeldKey.nameOf(row), row.lane(), 1)).toList();
    fresh.nextRead();
    fresh.apply(new Input.RowsRead(ReadResult.blocked(new Backlog(List.of(), held))));
    assertThat(fresh.told(RelayEvent.ManyKeysBlocked.class)).isNotEmpty();

    fresh.read();
    fresh.readHeld(rows.toArray(OutboxRow[]::new));

    assertThat(fresh.sent())
        .containsExactlyInAnyOrderElementsOf(rows.stream().map(OutboxRow::eventId).toList());
  }
}
