package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.RelayEvent;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that may have come to their end before they were read. */
class RelayEngineDoubtTest {
  private final EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();

  /** It may have been read before its end was durable, so the table is asked. */
  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"PENDING", "PUBLISHED"})
  void aRowThatMayHaveComeToItsEndIsNotHeldBeforeALook(EventState now) {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);
    OutboxRow behind = run.row("a", "k");
    RunHolds.hold(run, behind);
    run.stands(parked, EventState.PENDING);
    run.idle(Duration.ofSeconds(31));
    run.confirm(run.sends());
    run.pass(Duration.ofMillis(20));
    run.read(parked);

    run.stands(parked, now);
    Effect.Settle published = run.settled();
    assertThat(published.settlement().published()).containsExactly(parked);
    if (now == EventState.PENDING) {
      run.answerAll();
      run.pass(Duration.ofMillis(20));
      assertThat(run.settled().settlement().held()).containsExactly(parked);
      run.readHeld(parked, behind);
      assertThat(run.sent()).containsExactly(parked.eventId(), behind.eventId());
    } else {
      run.readHeld(behind);
      assertThat(run.sent()).containsExactly(behind.eventId());
      assertThat(run.gauges().inFlightBytes()).isEqualTo(behind.sizeBytes());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"PENDING", "PUBLISHED"})
  void aRowThatMayHaveComeToItsEndIsNotHeldBehindAParkedOneBeforeALook(EventState now) {
    OutboxRow first = run.row("a", "k");
    RunHolds.park(run, first);
    run.stands(first, EventState.PENDING);
    run.idle(Duration.ofSeconds(31));
    run.confirm(run.sends());
    run.pass(Duration.ofMillis(20));
    Effect.Settle published = run.take(Effect.Settle.class).get(0);
    OutboxRow second = run.row("a", "k");
    run.read(second);
    run.read(first);
    for (int i = 0; i < 3; i++) {
      run.reject(run.sends().get(0));
      run.idle(Duration.ofMillis(1_100));
    }
    assertThat(run.told(RelayEvent.Parked.class)).isNotEmpty();

    run.stands(first, now);
    run.settled(published);
    List<OutboxRow> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      run.idle(Duration.ofMillis(20));
      for (Effect.Settle settle : run.take(Effect.Settle.class)) {
        held.addAll(run.done(settle).settlement().held());
      }
    }

    assertThat(held)
        .containsExactlyElementsOf(now == EventState.PENDING ? List.of(first) : List.of());
    assertThat(run.sent()).isEmpty();
  }
}
