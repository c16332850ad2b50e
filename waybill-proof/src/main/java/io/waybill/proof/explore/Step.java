package io.waybill.proof.explore;

import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.store.Backlog;
import io.waybill.store.LaneView;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.Session;
import java.util.List;
import java.util.Set;

/**
 * What an engine takes in, without anything that depends on how it came to its state: times and
 * numbers of sends are relative, and an answer does not name its call.
 */
sealed interface Step {
  /** How much time passes before. */
  long ahead();

  /** Nothing but time. */
  record Tick(long ahead) implements Step {}

  /** The relay is to stop. */
  record HandOver(long ahead) implements Step {}

  /** The outcome of a send, which is so many numbers behind the next one. */
  record Told(long ahead, long behind, Outcome outcome) implements Step {}

  /** The answer to the call on this line. */
  record Answered(long ahead, Line line, Answer answer) implements Step {}

  /** The call on this line failed. */
  record Failed(long ahead, Line line) implements Step {}

  /** As an engine is told of a send. */
  enum Outcome {
    CONFIRMED,
    REJECTED,
    UNKNOWN
  }

  /** What the database returned. */
  sealed interface Answer {
    /** A session with this fence. */
    record Joined(long fence) implements Answer {}

    /** Whether the session lives, of a renewal; whether it does not, of a settlement. */
    record Alive(boolean alive) implements Answer {}

    /** Who owns what. */
    record Viewed(LaneView view) implements Answer {}

    /** Lanes won. */
    record Won(Set<Integer> lanes) implements Answer {}

    /** What the former owner left. */
    record Left(Backlog backlog) implements Answer {}

    /** Rows. */
    record Rows(ReadResult result) implements Answer {}

    /** How rows stand. */
    record Looked(List<RowLook> looks) implements Answer {}

    /** Nothing to say. */
    record Done() implements Answer {}
  }

  /** The engine's input for an answer to a call. */
  static Input input(Effect.Call call, Answer answer, long started) {
    if (answer instanceof Answer.Joined joined) {
      return new Input.Joined(new Session(joined.fence(), Rows.RELAY), started);
    } else if (answer instanceof Answer.Alive alive) {
      return call instanceof Effect.Settle settle
          ? new Input.SettleDone(
              settle, new Settled(!alive.alive(), alive.alive() ? settle.settlement().size() : 0))
          : new Input.Renewed(((Effect.Renew) call).session(), alive.alive(), started);
    } else if (answer instanceof Answer.Viewed viewed) {
      return new Input.Viewed(((Effect.View) call).session(), viewed.view());
    } else if (answer instanceof Answer.Won won) {
      return new Input.Acquired(((Effect.Acquire) call).session(), won.lanes());
    } else if (answer instanceof Answer.Left left) {
      return new Input.Assigned(((Effect.Assign) call).lanes(), left.backlog());
    } else if (answer instanceof Answer.Rows rows) {
      return call instanceof Effect.ReadHeld held
          ? new Input.HeldRead(held, rows.result())
          : new Input.RowsRead(rows.result());
    } else if (answer instanceof Answer.Looked looked) {
      return new Input.Looked((Effect.Look) call, looked.looks());
    }
    return done(call);
  }

  private static Input done(Effect.Call call) {
    if (call instanceof Effect.Release release) {
      return new Input.Released(release.session(), release.lanes());
    } else if (call instanceof Effect.Leave leave) {
      return new Input.Left(leave.session());
    } else if (call instanceof Effect.Revoke revoke) {
      return new Input.Revoked(revoke.lanes());
    } else if (call instanceof Effect.ReadControl) {
      return new Input.ControlRead(List.of(), Set.of());
    }
    throw new IllegalStateException("no answer for " + call);
  }
}
