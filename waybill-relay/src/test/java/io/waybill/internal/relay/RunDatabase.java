package io.waybill.internal.relay;

import io.waybill.store.Backlog;
import io.waybill.store.LaneView;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Answers an engine as a database would that has no rows to read, with one relay if not more. */
final class RunDatabase {
  private static final Session SESSION = new Session(7, "relay");

  final RunRows rows = new RunRows();
  private final Set<Integer> mine = new TreeSet<>();
  private int looks;
  private int sessions = 1;
  private Backlog backlog = Backlog.NONE;

  /** What a former owner has left in one lane. */
  void leave(Backlog left) {
    backlog = left;
  }

  /** Number of rows that were looked at. */
  int looks() {
    return looks;
  }

  /** How many relays live, this one included. */
  void sessions(int living) {
    sessions = living;
  }

  Input joined(long now) {
    return new Input.Joined(SESSION, now);
  }

  /** What a look at the lanes shows with so many living relays. */
  Input viewed(int sessions) {
    Set<Integer> free =
        IntStream.range(0, EngineRun.LANES).boxed().collect(Collectors.toCollection(TreeSet::new));
    free.removeAll(mine);
    return new Input.Viewed(
        SESSION, new LaneView(true, Set.copyOf(mine), sessions, free, EngineRun.LANES));
  }

  /** The same where the lanes that are not this relay's are others'. */
  Input viewedWithNoneFree(int living) {
    return new Input.Viewed(
        SESSION, new LaneView(true, Set.copyOf(mine), living, Set.of(), EngineRun.LANES));
  }

  Input answer(Effect.Call effect, long now) {
    if (effect instanceof Effect.Join) {
      return joined(now);
    } else if (effect instanceof Effect.Renew renew) {
      return new Input.Renewed(renew.session(), true, now);
    } else if (effect instanceof Effect.View) {
      return sessions > 1 ? viewedWithNoneFree(sessions) : viewed(1);
    } else if (effect instanceof Effect.Acquire acquire) {
      mine.addAll(acquire.lanes());
      return new Input.Acquired(SESSION, acquire.lanes());
    } else if (effect instanceof Effect.Release release) {
      mine.removeAll(release.lanes());
      return new Input.Released(SESSION, release.lanes());
    } else if (effect instanceof Effect.Assign assign) {
      return new Input.Assigned(assign.lanes(), backlog);
    } else if (effect instanceof Effect.Revoke revoke) {
      return new Input.Revoked(revoke.lanes());
    } else if (effect instanceof Effect.ReadControl) {
      return new Input.ControlRead(List.of(), Set.of());
    } else if (effect instanceof Effect.Read) {
      return new Input.RowsRead(new ReadResult(List.of(), false));
    } else if (effect instanceof Effect.ReadHeld held) {
      return new Input.HeldRead(held, new ReadResult(List.of(), false));
    } else if (effect instanceof Effect.Look look) {
      looks += look.rows().size();
      return new Input.Looked(look, look.rows().stream().map(rows::look).toList());
    } else if (effect instanceof Effect.Leave) {
      return new Input.Left(SESSION);
    }
    throw new IllegalStateException("no database answers " + effect);
  }
}
