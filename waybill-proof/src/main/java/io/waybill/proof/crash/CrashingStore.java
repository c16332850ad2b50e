package io.waybill.proof.crash;

import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A store that reaches the steps of a crash that a settlement consists of. */
record CrashingStore(OutboxStore store, Crash crash) implements OutboxStore {
  @Override
  public void warmUp(List<OutboxRow> rows) {
    store.warmUp(rows);
  }

  @Override
  public Settled settle(Session session, Settlement settlement) {
    before(settlement).forEach(crash::reached);
    Settled settled = store.settle(session, settlement);
    if (!settled.fenced()) {
      crash.settled(settlement.published().size() + settlement.recovered().size());
    }
    before(settlement).forEach(step -> crash.reached(step.after()));
    return settled;
  }

  private static Set<CrashStep> before(Settlement settlement) {
    Set<CrashStep> steps = EnumSet.noneOf(CrashStep.class);
    if (!settlement.published().isEmpty()) {
      steps.add(CrashStep.BEFORE_MARK);
    }
    if (!settlement.recovered().isEmpty()) {
      steps.add(CrashStep.BEFORE_RECOVER);
    }
    settlement
        .failed()
        .forEach(
            failed ->
                steps.add(
                    failed.state() == RowState.RETRY
                        ? CrashStep.BEFORE_RETRY
                        : CrashStep.BEFORE_PARK));
    if (!settlement.held().isEmpty()) {
      steps.add(CrashStep.BEFORE_HOLD);
    }
    if (!settlement.handled().isEmpty()) {
      steps.add(CrashStep.BEFORE_REQUEST);
    }
    return steps;
  }

  @Override
  public void close() {
    store.close();
  }
}
