package io.waybill.proof.sim.inbox;

import io.waybill.broker.Delivery;
import io.waybill.internal.inbox.InboxEffect;
import io.waybill.internal.inbox.attempt.Task;
import io.waybill.internal.inbox.attempt.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What goes to a worker is acknowledged at once. */
final class AcknowledgeFirst extends InboxMutation {
  @Override
  List<InboxEffect> effects(List<InboxEffect> effects) {
    List<InboxEffect> changed = new ArrayList<>();
    for (InboxEffect effect : effects) {
      if (effect instanceof InboxEffect.Run run && run.work() instanceof Work.Handle handle) {
        changed.add(new InboxEffect.Acknowledge(deliveries(handle)));
      }
      changed.add(effect);
    }
    return changed;
  }

  private static List<Delivery> deliveries(Work.Handle handle) {
    return handle.tasks().stream()
        .map(Task::delivery)
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .toList();
  }
}
