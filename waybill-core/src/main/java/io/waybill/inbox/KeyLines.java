package io.waybill.inbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who may go next: keys whose first message waits for a worker, in groups that take turns. Messages
 * of one batch handler are a group, those that are handled singly another, and those that may have
 * killed the process a third, of which one at a time is handled.
 */
final class KeyLines {
  private static final Object SINGLES = "singles";
  private static final Object SUSPECTS = "suspects";

  private final Map<KeyLine.Name, KeyLine> lines = new HashMap<>();
  private final LinkedHashMap<Object, ArrayDeque<KeyLine>> ready = new LinkedHashMap<>();

  /**
   * The line of a key. The copies of an event without key have a line of their own, so that they do
   * not fail at the same time, and a message that is no event has one for itself.
   */
  KeyLine line(String source, byte @Nullable [] key, @Nullable Task task) {
    if (key != null) {
      return line(new KeyLine.Name(source, true, ByteBuffer.wrap(key)));
    }
    if (task == null) {
      return new KeyLine(null);
    }
    byte[] id = task.sighting().eventId().getBytes(StandardCharsets.UTF_8);
    return line(new KeyLine.Name(source, false, ByteBuffer.wrap(id)));
  }

  private KeyLine line(KeyLine.Name name) {
    return lines.computeIfAbsent(name, KeyLine::new);
  }

  void add(Item item) {
    item.place = Item.Place.QUEUED;
    item.line.queue.add(item);
    settle(item.line);
  }

  /** A message that is earlier than all that wait. */
  void addFirst(Item item) {
    item.place = Item.Place.QUEUED;
    item.line.queue.addFirst(item);
    settle(item.line);
  }

  /** What was under way of its line goes to its head again. */
  void again(Item item) {
    item.line.busy = false;
    addFirst(item);
  }

  /** Nothing of a line is under way any more. */
  void free(KeyLine line) {
    line.busy = false;
    settle(line);
  }

  /** Makes a line ready if it can go on, forgets it if it is empty. */
  void settle(KeyLine line) {
    if (line.busy || line.ready) {
      return;
    }
    Item head = line.queue.peek();
    if (head != null) {
      line.ready = true;
      ready.computeIfAbsent(group(head), g -> new ArrayDeque<>()).add(line);
    } else if (line.name != null) {
      lines.remove(line.name, line);
    }
  }

  /** Whether no message waits for a worker. */
  boolean isEmpty() {
    return ready.values().stream()
        .flatMap(ArrayDeque::stream)
        .allMatch(line -> line.queue.isEmpty());
  }

  /** The next messages to be handled together: one, or a batch; none if none may go. */
  List<Item> next(boolean suspectRunning) {
    List<Item> taken = nextOfGroups(suspectRunning);
    // A line whose first message has changed moved to its group's end: it is found the second time.
    return taken.isEmpty() && !ready.isEmpty() ? nextOfGroups(suspectRunning) : taken;
  }

  private List<Item> nextOfGroups(boolean suspectRunning) {
    for (Object group : List.copyOf(ready.keySet())) {
      if (group == SUSPECTS && suspectRunning) {
        continue;
      }
      List<Item> taken = take(group);
      if (!taken.isEmpty()) {
        return taken;
      }
    }
    return List.of();
  }

  private List<Item> take(Object group) {
    ArrayDeque<KeyLine> waiting = ready.remove(group);
    if (waiting == null) {
      return List.of();
    }
    int most = group instanceof Registration registration ? registration.batch() : 1;
    List<Item> taken = new ArrayList<>();
    while (taken.size() < most && !waiting.isEmpty()) {
      KeyLine line = waiting.remove();
      line.ready = false;
      take(line, group, most, taken);
    }
    if (!waiting.isEmpty()) {
      // At the end: the groups take turns.
      ready.put(group, waiting);
    }
    return taken;
  }

  private void take(KeyLine line, Object group, int most, List<Item> taken) {
    Item head = line.queue.peek();
    if (head == null || !group(head).equals(group)) {
      settle(line);
      return;
    }
    while (head != null && taken.size() < most && group(head).equals(group)) {
      line.queue.remove();
      line.busy = true;
      head.place = Item.Place.WORKING;
      taken.add(head);
      head = line.queue.peek();
    }
  }

  private static Object group(Item item) {
    if (item.suspect && item.todo == Item.Todo.HANDLE) {
      return SUSPECTS;
    }
    boolean batched =
        item.todo == Item.Todo.HANDLE
            && !item.alone
            && item.delivery != null
            && item.plan instanceof Plan.Handle handle
            && handle.registration().batch() > 1;
    return batched ? ((Plan.Handle) item.plan).registration() : SINGLES;
  }
}
