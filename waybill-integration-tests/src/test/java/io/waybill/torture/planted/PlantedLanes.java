package io.waybill.torture.planted;

import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.RelayProcess;
import io.waybill.store.RelayReport;
import io.waybill.store.Session;
import io.waybill.store.Tally;
import java.time.Duration;
import java.util.Set;

/** Lanes whose ownership has a bug. */
record PlantedLanes(LaneStore lanes, SideTables tables, Behaviour bug) implements LaneStore {
  @Override
  public boolean warmUp() {
    return lanes.warmUp();
  }

  @Override
  public Session join(RelayProcess relay, Duration lease) {
    return lanes.join(relay, lease);
  }

  @Override
  public boolean renew(Session session, Duration lease, RelayReport report) {
    return bug.renewed(lanes.renew(session, lease, report));
  }

  @Override
  public LaneView view(Session session) {
    return bug.view(lanes.view(session), session, tables);
  }

  @Override
  public Set<Integer> acquire(Session session, Set<Integer> wanted) {
    return bug.acquired(wanted, lanes.acquire(session, wanted), tables);
  }

  @Override
  public void release(Session session, Set<Integer> given) {
    lanes.release(session, given);
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
    lanes.leave(session);
  }

  @Override
  public void close() {
    lanes.close();
  }
}
