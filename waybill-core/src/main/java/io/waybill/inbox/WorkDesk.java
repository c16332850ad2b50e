package io.waybill.inbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What workers are doing: starts as much as there are workers and the database allows. */
final class WorkDesk {
  private final InboxState state;
  private final LetterDesk letters;
  private final Map<Long, List<Item>> running = new HashMap<>();
  private boolean suspectRunning;

  WorkDesk(InboxState state, LetterDesk letters) {
    this.state = state;
    this.letters = letters;
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
      List<Item> items = state.keys.next(suspectRunning, permits - running.size());
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

  private void start(List<Item> items) {
    long id = state.number();
    running.put(id, items);
    for (Item item : items) {
      if (item.lane != null) {
        item.lane.running++;
      }
    }
    Item first = items.get(0);
    suspectRunning |= isSuspect(first);
    state.emit(new InboxEffect.Run(work(id, items, first)));
  }

  private static boolean isSuspect(Item item) {
    return item.suspect && item.todo == Item.Todo.HANDLE;
  }

  private Work work(long id, List<Item> items, Item first) {
    Work.Mark mark = new Work.Mark(first.suspect, first.open, state.settings.startLimit());
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
    if (isSuspect(items.get(0))) {
      suspectRunning = false;
    }
    return items;
  }
}
