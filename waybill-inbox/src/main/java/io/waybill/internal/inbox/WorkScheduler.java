package io.waybill.internal.inbox;

import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.policy.InboxSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What workers are doing: starts as much as there are workers and the database allows. */
final class WorkScheduler {
  private final InboxState state;
  private final DeadLetterSender letters;
  private final Map<Long, List<PendingMessage>> running = new HashMap<>();
  private final long since;
  private boolean aloneRunning;

  WorkScheduler(InboxState state, DeadLetterSender letters) {
    this.state = state;
    this.letters = letters;
    this.since = state.now;
  }

  int running() {
    return running.size();
  }

  /** What workers have, of lanes that have left as well. */
  Stream<PendingMessage> messages() {
    return running.values().stream().flatMap(List::stream);
  }

  void advance() {
    int permits = state.gate.permits(state.now, state.settings.workers());
    while (running.size() < permits) {
      List<PendingMessage> messages = next(permits - running.size());
      if (messages.isEmpty()) {
        return;
      }
      PendingMessage first = messages.get(0);
      if (first.task == null) {
        Plan.Bury bury = (Plan.Bury) first.plan;
        letters.bury(first, bury.reason(), bury.detail());
      } else {
        start(messages);
      }
    }
  }

  /** Looking at a line may show that its first message is to be alone: that is looked at again. */
  private List<PendingMessage> next(int idle) {
    List<PendingMessage> messages = look(idle);
    return messages.isEmpty() ? look(idle) : messages;
  }

  private List<PendingMessage> look(int idle) {
    PendingMessage alone = firstAlone();
    if (alone == null) {
      return aloneRunning ? List.of() : state.keys.next(idle);
    }
    return running.isEmpty() ? state.keys.nextAlone() : List.of();
  }

  /** The next that is handled while nothing else is, and whose time has come. */
  private @Nullable PendingMessage firstAlone() {
    for (PendingMessage message = state.keys.firstAlone();
        message != null;
        message = state.keys.firstAlone()) {
      long due = aloneFrom(message);
      if (due - state.now <= 0) {
        return message;
      }
      state.keys.nextAlone();
      state.timers.start(message, due);
    }
    return null;
  }

  /**
   * Each further try is made at another age of the inbox. A process that dies at the same age each
   * time, for a reason of its own, does so only once with the same event.
   */
  long aloneFrom(PendingMessage message) {
    InboxSettings.Alone alone = state.settings.alone();
    return message.openStarts > alone.limit()
        ? state.now
        : since + (message.openStarts - 1) * alone.pause().toNanos();
  }

  private void start(List<PendingMessage> messages) {
    long id = state.number();
    running.put(id, messages);
    for (PendingMessage message : messages) {
      if (message.lane != null) {
        message.lane.running++;
      }
    }
    PendingMessage first = messages.get(0);
    aloneRunning = first.isHandledAlone();
    state.emit(new InboxEffect.Run(work(id, messages, first)));
  }

  private Work.Mark mark(List<PendingMessage> messages) {
    List<String> suspects =
        messages.stream()
            .filter(message -> message.suspect)
            .map(message -> message.task().dedupeKey().eventId())
            .distinct()
            .toList();
    PendingMessage first = messages.get(0);
    return new Work.Mark(
        suspects, first.open, first.isHandledAlone(), state.settings.alone().limit());
  }

  private Work work(long id, List<PendingMessage> messages, PendingMessage first) {
    Work.Mark mark = mark(messages);
    boolean delivered = first.deferred == null;
    return switch (first.todo) {
      case HANDLE ->
          delivered
              ? new Work.Handle(id, messages.stream().map(PendingMessage::task).toList(), mark)
              : new Work.Retry(id, first.task(), mark);
      case DEFER ->
          delivered
              ? new Work.Defer(id, Objects.requireNonNull(first.deferral, "deferral"), mark)
              : new Work.DeferAgain(id, Objects.requireNonNull(first.deferral, "deferral"));
      case BURY -> new Work.Bury(id, first.task(), mark);
    };
  }

  /** Ends a piece of work; returns its messages, none if it is not known. */
  List<PendingMessage> ended(long id) {
    List<PendingMessage> messages = running.remove(id);
    if (messages == null) {
      return List.of();
    }
    for (PendingMessage message : messages) {
      if (message.lane != null) {
        message.lane.running--;
      }
    }
    // It is the only one.
    aloneRunning = false;
    return messages;
  }
}
