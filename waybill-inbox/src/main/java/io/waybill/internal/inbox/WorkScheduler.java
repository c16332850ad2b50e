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
  private final Map<Long, List<Item>> running = new HashMap<>();
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
  Stream<Item> items() {
    return running.values().stream().flatMap(List::stream);
  }

  void advance() {
    int permits = state.gate.permits(state.now, state.settings.workers());
    while (running.size() < permits) {
      List<Item> items = next(permits - running.size());
      if (items.isEmpty()) {
        return;
      }
      Item first = items.get(0);
      if (first.task == null) {
        Plan.Bury bury = (Plan.Bury) first.plan;
        letters.bury(first, bury.reason(), bury.detail());
      } else {
        start(items);
      }
    }
  }

  /** Looking at a line may show that its first message is to be alone: that is looked at again. */
  private List<Item> next(int idle) {
    List<Item> items = look(idle);
    return items.isEmpty() ? look(idle) : items;
  }

  private List<Item> look(int idle) {
    Item alone = firstAlone();
    if (alone == null) {
      return aloneRunning ? List.of() : state.keys.next(idle);
    }
    return running.isEmpty() ? state.keys.nextAlone() : List.of();
  }

  /** The next that is handled while nothing else is, and whose time has come. */
  private @Nullable Item firstAlone() {
    for (Item item = state.keys.firstAlone(); item != null; item = state.keys.firstAlone()) {
      long due = aloneFrom(item);
      if (due - state.now <= 0) {
        return item;
      }
      state.keys.nextAlone();
      state.timers.start(item, due);
    }
    return null;
  }

  /**
   * Each further try is made at another age of the inbox. A process that dies at the same age each
   * time, for a reason of its own, does so only once with the same event.
   */
  long aloneFrom(Item item) {
    InboxSettings.Alone alone = state.settings.alone();
    return item.openStarts > alone.limit()
        ? state.now
        : since + (item.openStarts - 1) * alone.pause().toNanos();
  }

  private void start(List<Item> items) {
    long id = state.number();
    running.put(id, items);
    for (Item item : items) {
      if (item.lane != null) {
        item.lane.running++;
      }
    }
    Item first = items.get(0);
    aloneRunning = first.isHandledAlone();
    state.emit(new InboxEffect.Run(work(id, items, first)));
  }

  private Work.Mark mark(List<Item> items) {
    List<String> suspects =
        items.stream()
            .filter(item -> item.suspect)
            .map(item -> item.task().dedupeKey().eventId())
            .distinct()
            .toList();
    Item first = items.get(0);
    return new Work.Mark(
        suspects, first.open, first.isHandledAlone(), state.settings.alone().limit());
  }

  private Work work(long id, List<Item> items, Item first) {
    Work.Mark mark = mark(items);
    boolean delivered = first.deferred == null;
    return switch (first.todo) {
      case HANDLE ->
          delivered
              ? new Work.Handle(id, items.stream().map(Item::task).toList(), mark)
              : new Work.Retry(id, first.task(), mark);
      case PUT_OFF ->
          delivered
              ? new Work.Defer(id, Objects.requireNonNull(first.putOff, "putOff"), mark)
              : new Work.Postpone(id, Objects.requireNonNull(first.putOff, "putOff"));
      case BURY -> new Work.Bury(id, first.task(), mark);
    };
  }

  /** Ends a piece of work; returns its messages, none if it is not known. */
  List<Item> ended(long id) {
    List<Item> items = running.remove(id);
    if (items == null) {
      return List.of();
    }
    for (Item item : items) {
      if (item.lane != null) {
        item.lane.running--;
      }
    }
    // It is the only one.
    aloneRunning = false;
    return items;
  }
}
