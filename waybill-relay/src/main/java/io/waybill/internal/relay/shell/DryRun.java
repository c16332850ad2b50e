package io.waybill.internal.relay.shell;

import io.waybill.broker.Confirmation;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.policy.EngineSettings;
import io.waybill.store.Backlog;
import io.waybill.store.LaneView;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows that an engine of its own carries nowhere: what its effects ask for is answered here, and
 * its messages are thrown away.
 */
final class DryRun {
  /** The most that a table has. An application may fill a column of lanes with anything. */
  private static final int MOST_LANES = 1024;

  /** What comes to no end stops here. */
  private static final int MOST_TURNS = 500;

  private final RelayEngine engine;
  private final List<OutboxRow> rows;
  private final Set<Integer> lanes = new TreeSet<>(Set.of(0));
  private final List<Confirmation> confirmed = new ArrayList<>();
  private List<Effect> effects = List.of();
  private long now;
  private boolean owned;
  private boolean read;
  private int sent;

  /**
   * Prepares a run.
   *
   * @param settings those of the relay; the first read does not wait
   * @param rules {@link RelayRules#forDryRun}
   * @param rows of any lane and key
   * @param now monotonic time in nanoseconds
   */
  DryRun(EngineSettings settings, RelayRules rules, List<OutboxRow> rows, long now) {
    this.engine =
        new RelayEngine(
            settings.polling(settings.polling().initialDelay(Duration.ZERO)),
            rules.retryPolicy(),
            rules.failurePolicies(),
            rules.mapper(),
            now);
    this.rows = rows.stream().filter(row -> row.lane() >= 0 && row.lane() < MOST_LANES).toList();
    this.rows.forEach(row -> lanes.add(row.lane()));
    this.now = now;
  }

  /** Returns the number of messages that were thrown away. */
  int run() {
    effects = engine.apply(Input.Signal.PUBLISHER_AVAILABLE, now);
    for (int turn = 0; turn < MOST_TURNS && !done(); turn++) {
      List<Input> answers = answers();
      if (answers.isEmpty()) {
        now = Math.max(now, engine.deadline());
        answers.add(Input.Signal.TICK);
      }
      List<Effect> next = new ArrayList<>();
      answers.forEach(answer -> next.addAll(engine.apply(answer, now)));
      effects = next;
    }
    return sent;
  }

  private boolean done() {
    return read && engine.inFlight() == 0 && engine.gauges().unsettledRows() == 0;
  }

  private List<Input> answers() {
    List<Input> answers = new ArrayList<>();
    for (Effect effect : effects) {
      Input answer = answer(effect);
      if (answer != null) {
        answers.add(answer);
      }
    }
    // All at once, as most confirmations come.
    if (!confirmed.isEmpty()) {
      sent += confirmed.size();
      answers.add(new Input.Confirmations(List.copyOf(confirmed)));
      confirmed.clear();
    }
    return answers;
  }

  /** Null for what has no answer, and for what a relay without any trouble does not ask for. */
  private @Nullable Input answer(Effect effect) {
    return switch (effect.kind()) {
      case JOIN -> new Input.Joined(Session.NONE, now);
      case RENEW -> new Input.Renewed(((Effect.Renew) effect).session(), true, now);
      case VIEW -> new Input.Viewed(((Effect.View) effect).session(), view());
      case ACQUIRE -> acquired((Effect.Acquire) effect);
      case ASSIGN -> new Input.Assigned(((Effect.Assign) effect).lanes(), Backlog.NONE);
      case READ_CONTROL -> new Input.ControlRead(List.of(), Set.of());
      case READ -> new Input.RowsRead(readOnce());
      case SETTLE -> new Input.SettleDone((Effect.Settle) effect, new Settled(false, 0));
      case SEND -> {
        confirmed.add(new Confirmation.Confirmed(((Effect.Send) effect).message().sendId()));
        yield null;
      }
      case RELEASE, LEAVE, REVOKE, READ_HELD, LOOK, WAKE_READER, NOTIFY, STOPPED -> null;
    };
  }

  private LaneView view() {
    Set<Integer> mine = owned ? lanes : Set.of();
    Set<Integer> free = owned ? Set.of() : lanes;
    return new LaneView(true, mine, 1, free, MOST_LANES);
  }

  private Input acquired(Effect.Acquire acquire) {
    owned = true;
    return new Input.Acquired(acquire.session(), acquire.lanes());
  }

  private ReadResult readOnce() {
    List<OutboxRow> all = read ? List.of() : rows;
    read = true;
    return new ReadResult(all, false);
  }
}
