package io.waybill.proof.sim.inbox;

import io.waybill.broker.Reach;
import io.waybill.internal.inbox.HistoryStep;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Mistakes of an inbox whose database fails over; it does in all runs with partitions. */
final class InboxFailoverBug {
  private InboxFailoverBug() {}

  /** The server is worked on as if it had everything. */
  static final class NotReadAgain extends Failovers {
    @Override
    List<HistoryStep> steps(List<HistoryStep> steps) {
      return steps.stream()
          .filter(s -> !(s instanceof HistoryStep.Forget || s instanceof HistoryStep.SeekBack))
          .toList();
    }
  }

  /** What is in memory is handled there before what comes again. */
  static final class StoodFirst extends Failovers {
    @Override
    List<HistoryStep> steps(List<HistoryStep> steps) {
      return Stream.concat(
              steps.stream().filter(HistoryStep.Stand.class::isInstance),
              steps.stream().filter(s -> !(s instanceof HistoryStep.Stand)))
          .toList();
    }
  }

  /** The engine goes on with what it has of a lane, beside what comes again. */
  static final class LaneKept extends Failovers {
    @Override
    boolean forgetsLanes() {
      return false;
    }
  }

  /** A new owner does not compare the server of a note. */
  static final class ServerIgnored extends Failovers {
    @Override
    RecordedProgress recordedProgress(RecordedProgress found) {
      Map<String, Place> places = new HashMap<>();
      found
          .places()
          .forEach((lane, place) -> places.put(lane, new Place(found.server(), place.position())));
      return new RecordedProgress(found.server(), places);
    }
  }

  /** What is delivered is noted, and not what is done with. */
  static final class NotedTooFar extends Failovers {
    @Override
    Reach noted(Reach reach) {
      return new Reach(reach.from(), reach.next(), reach.next());
    }
  }
}
