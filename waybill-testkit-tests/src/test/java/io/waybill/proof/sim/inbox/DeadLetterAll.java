package io.waybill.proof.sim.inbox;

import io.waybill.internal.inbox.attempt.Work;

/** Every start counts, whatever was under way beside it, and none has to be alone. */
final class DeadLetterAll extends InboxMutation {
  @Override
  Work work(Work work) {
    if (work instanceof Work.Handle handle) {
      return new Work.Handle(work.id(), handle.tasks(), all(handle.mark()));
    }
    return work instanceof Work.Retry retry
        ? new Work.Retry(work.id(), retry.task(), all(retry.mark()))
        : work;
  }

  private static Work.Mark all(Work.Mark mark) {
    return new Work.Mark(mark.suspects(), mark.open(), true, mark.limit() - 1);
  }
}
