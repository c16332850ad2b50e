package io.waybill.proof.crash;

import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.RelayProcess;
import io.waybill.store.RelayReport;
import io.waybill.store.Session;
import io.waybill.store.Tally;
import java.time.Duration;
import java.util.Set;

/** A store of lanes that reaches the steps of a crash. */
record CrashingLanes(LaneStore lanes, Crash crash) implements LaneStore {
  @Override
  public boolean warmUp() {
    return lanes.warmUp();
  }

  @Override
  public Session join(RelayProcess relay, Duration lease) {
    crash.reached(CrashStep.BEFORE_JOIN);
    Session session = lanes.join(relay, lease);
    crash.reached(CrashStep.AFTER_JOIN);
    return session;
  }

  @Override
  public boolean renew(Session session, Duration lease, RelayReport report) {
    crash.reached(CrashStep.BEFORE_RENEW);
    boolean renewed = lanes.renew(session, lease, report);
    crash.reached(CrashStep.AFTER_RENEW);
    return renewed;
  }

  @Override
  public LaneView view(Session session) {
    crash.reached(CrashStep.BEFORE_VIEW);
    LaneView view = lanes.view(session);
    crash.reached(CrashStep.AFTER_VIEW);
    return view;
  }

  @Override
  public Set<Integer> acquire(Session session, Set<Integer> wanted) {
    crash.reached(CrashStep.BEFORE_ACQUIRE);
    Set<Integer> won = lanes.acquire(session, wanted);
    crash.reached(CrashStep.AFTER_ACQUIRE);
    return won;
  }

  @Override
  public void release(Session session, Set<Integer> given) {
    crash.reached(CrashStep.BEFORE_RELEASE);
    lanes.release(session, given);
    crash.reached(CrashStep.AFTER_RELEASE);
  }

  @Override
  public long oldestUnpublishedMillis() {
    return lanes.oldestUnpublishedMillis();
  }

  @Override
  public Tally tally(int most) {
    return lanes.tally(most);
  }

  @Override
  public void leave(Session session) {
    crash.reached(CrashStep.BEFORE_LEAVE);
    lanes.leave(session);
    crash.reached(CrashStep.AFTER_LEAVE);
  }

  @Override
  public void close() {
    lanes.close();
  }
}
