package io.waybill.internal.relay;

import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.store.OutboxRow;
import io.waybill.store.Session;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the parts of the engine share: bounds, lanes, the settle buffer, and the effects so far. */
final class EngineState {
  final EngineSettings settings;
  final Budget budget;
  final LaneTable lanes = new LaneTable();
  final SettleBuffer settle = new SettleBuffer();
  final ChangesMeanwhile meanwhile = new ChangesMeanwhile();
  private final long sendNeedsNanos;
  private List<Effect> calls = new ArrayList<>();
  private List<Effect> others = new ArrayList<>();
  @Nullable Session session;
  long now;
  long leaseUntil;
  boolean publisherUp = true;
  long publisherDownSince;
  // By how much the database's clock is ahead of this one, as of the last rows that came.
  private long databaseAheadNanos;
  boolean stopping;
  private boolean quietKnown;
  private long quietAt;

  EngineState(EngineSettings settings, long now) {
    this.settings = settings;
    this.sendNeedsNanos = settings.sendNeedsNanos();
    this.budget = new Budget(settings);
    this.now = now;
  }

  void publisherDown() {
    if (publisherUp) {
      publisherDownSince = now;
    }
    publisherUp = false;
  }

  /** Lanes came, whose former owners may have messages on their way; the next view tells. */
  void lanesCame() {
    quietKnown = false;
  }

  /** For so long, a former owner of a lane can still have messages on their way. */
  void quietIn(long millis) {
    quietKnown = true;
    quietAt = now + millis * 1_000_000L;
  }

  /**
   * Whether the broker stores no more messages of former owners. Until then, no event is given up:
   * a copy of it could be stored after the next one of its key.
   */
  boolean isQuiet() {
    return quietKnown && now - quietAt >= 0;
  }

  /** The time after which it is worth to ask again whether it is quiet. */
  long untilQuiet() {
    return quietKnown ? Math.max(0, quietAt - now) : settings.viewInterval().toNanos();
  }

  /** The row was just read. */
  void came(OutboxRow row) {
    databaseAheadNanos = row.readAtMicros() * 1_000 - now;
  }

  /** A time as the database's clock has it, about. */
  long databaseMicros(long nanos) {
    return (nanos + databaseAheadNanos) / 1_000;
  }

  void emit(Effect effect) {
    if (effect instanceof Effect.Call) {
      calls.add(effect);
    } else {
      others.add(effect);
    }
  }

  void tell(RelayEvent event) {
    others.add(new Effect.Notify(event));
  }

  /** Calls come first: the database works while messages are sent. */
  List<Effect> takeEffects() {
    if (calls.isEmpty()) {
      List<Effect> taken = others;
      others = new ArrayList<>();
      return taken;
    }
    List<Effect> taken = calls;
    taken.addAll(others);
    calls = new ArrayList<>();
    others = new ArrayList<>();
    return taken;
  }

  /** Whether enough of the lease is left for a send to be settled one way or the other. */
  boolean leaseAllowsSend() {
    return session != null && leaseUntil - now >= sendNeedsNanos;
  }
}
