package io.waybill.internal.inbox;

import io.waybill.handler.Registration;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.internal.inbox.attempt.Task;
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
 * of one batch handler are a group, deliveries that are handled singly and may share a transaction
 * another, those that have one of their own a third. Those that were under way when a process died
 * take no turns: they are handled while nothing else is.
 */
final class KeyQueues {
  private static final Object SINGLES = "singles";
  private static final Object SHARED = "shared";
  private static final Object ALONE = "alone";

  private final Map<KeyQueue.Name, KeyQueue> lines = new HashMap<>();
  private final LinkedHashMap<Object, ArrayDeque<KeyQueue>> ready = new LinkedHashMap<>();
  private final Sharing sharing;

  KeyQueues(Sharing sharing) {
    this.sharing = sharing;
  }

  /**
   * The line of a key. The copies of an event without key have a line of their own, so that they do
   * not fail at the same time, and a message that is no event has one for itself.
   */
  KeyQueue line(String source, byte @Nullable [] key, @Nullable Task task) {
    if (key != null) {
      return line(new KeyQueue.Name(source, true, ByteBuffer.wrap(key)));
    }
    if (task == null) {
      return new KeyQueue(null);
    }
    byte[] id = task.dedupeKey().eventId().getBytes(StandardCharsets.UTF_8);
    return line(new KeyQueue.Name(source, false, ByteBuffer.wrap(id)));
  }

  private KeyQueue line(KeyQueue.Name name) {
    return lines.computeIfAbsent(name, KeyQueue::new);
  }

  void add(PendingMessage message) {
    message.queued();
    message.line.queue.add(message);
    settle(message.line);
  }

  /** A message that is earlier than all that wait. */
  void addFirst(PendingMessage message) {
    message.queued();
    message.line.queue.addFirst(message);
    settle(message.line);
  }

  /** What was under way of its line goes to its head again. */
  void again(PendingMessage message) {
    message.line.busy = false;
    message.line.refused = null;
    addFirst(message);
  }

  /**
   * Puts a delivery that was under way behind the deferred events of its line, which it may have to
   * wait for.
   *
   * @return false if there are none in memory: nothing was done
   */
  boolean letPass(PendingMessage message) {
    ArrayDeque<PendingMessage> queue = message.line.queue;
    ArrayDeque<PendingMessage> before = new ArrayDeque<>();
    // Deliveries that went back to the head may stand before them.
    queue.stream().filter(each -> each.deferred != null).forEach(before::push);
    if (before.isEmpty()) {
      return false;
    }
    queue.removeIf(each -> each.deferred != null);
    again(message);
    before.forEach(queue::addFirst);
    return true;
  }

  /** A deferred event has come: it is earlier than a delivery that only waits for a time. */
  void addDeferred(PendingMessage message, Timers timers) {
    PendingMessage refused = message.line.refused;
    if (refused != null && refused.deferred == null) {
      timers.cancel(refused);
      again(refused);
    }
    addFirst(message);
  }

  /** Nothing of a line is under way any more. */
  void free(KeyQueue line) {
    line.busy = false;
    line.refused = null;
    settle(line);
  }

  /** Makes a line ready if it can go on, forgets it if it is empty. */
  void settle(KeyQueue line) {
    if (line.busy || line.ready) {
      return;
    }
    PendingMessage head = line.queue.peek();
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

  /**
   * The next messages to be handled together: one, a batch, or some that share a transaction; none
   * if none may go.
   *
   * @param idle workers that have nothing to do, this one included
   */
  List<PendingMessage> next(int idle) {
    List<PendingMessage> taken = nextOfGroups(idle);
    // A line whose first message has changed moved to its group's end: it is found the second time.
    return taken.isEmpty() && !ready.isEmpty() ? nextOfGroups(idle) : taken;
  }

  private List<PendingMessage> nextOfGroups(int idle) {
    for (Object group : List.copyOf(ready.keySet())) {
      List<PendingMessage> taken = group == ALONE ? List.of() : take(group, idle);
      if (!taken.isEmpty()) {
        return taken;
      }
    }
    return List.of();
  }

  /** The next message to be handled while nothing else is; null if there is none. */
  @Nullable PendingMessage firstAlone() {
    ArrayDeque<KeyQueue> waiting = ready.getOrDefault(ALONE, new ArrayDeque<>());
    for (KeyQueue line = waiting.peek(); line != null; line = waiting.peek()) {
      PendingMessage head = line.queue.peek();
      if (head != null && head.isHandledAlone()) {
        return head;
      }
      waiting.remove();
      line.ready = false;
      settle(line);
    }
    ready.remove(ALONE);
    return null;
  }

  /** Takes the {@link #firstAlone}. */
  List<PendingMessage> nextAlone() {
    return take(ALONE, 1);
  }

  private List<PendingMessage> take(Object group, int idle) {
    ArrayDeque<KeyQueue> waiting = ready.remove(group);
    if (waiting == null) {
      return List.of();
    }
    Load load = load(group, waiting.size(), idle);
    while (!waiting.isEmpty() && load.takesLine(waiting.peek())) {
      KeyQueue line = waiting.remove();
      line.ready = false;
      take(line, group, load);
    }
    if (!waiting.isEmpty()) {
      // At the end: the groups take turns.
      ready.put(group, waiting);
    }
    return load.messages;
  }

  /** Lines that are ready are shared out evenly; what else a line has nobody but its taker can. */
  private Load load(Object group, int lines, int idle) {
    if (group == SHARED) {
      return new Load(sharing.most(), (lines + idle - 1) / idle, sharing);
    }
    return new Load(group instanceof Registration r ? r.batch() : 1, Integer.MAX_VALUE, null);
  }

  private void take(KeyQueue line, Object group, Load load) {
    PendingMessage head = line.queue.peek();
    if (head == null || !group(head).equals(group)) {
      settle(line);
      return;
    }
    load.lines--;
    while (head != null && group(head).equals(group) && load.takes(head)) {
      line.queue.remove();
      line.busy = true;
      head.place = PendingMessage.Place.WORKING;
      load.take(head);
      head = line.queue.peek();
    }
  }

  private static Object group(PendingMessage message) {
    if (message.isHandledAlone()) {
      return ALONE;
    }
    boolean together =
        message.todo == PendingMessage.Todo.HANDLE
            && !message.alone
            && !message.open
            && message.delivery != null
            && message.plan instanceof Plan.Handle;
    if (!together) {
      return SINGLES;
    }
    Registration registration = ((Plan.Handle) message.plan).registration();
    return registration.batch() > 1 ? registration : SHARED;
  }

  /** What goes into one transaction. */
  private static final class Load {
    private final List<PendingMessage> messages = new ArrayList<>();
    private final @Nullable Sharing sharing;
    private final int most;
    private int lines;
    private double micros;

    Load(int most, int lines, @Nullable Sharing sharing) {
      this.most = most;
      this.lines = lines;
      this.sharing = sharing;
    }

    /** Whether it has room for a line; one whose head has changed is looked at in any case. */
    boolean takesLine(@Nullable KeyQueue line) {
      PendingMessage head = line == null ? null : line.queue.peek();
      return lines > 0 && (head == null || takes(head));
    }

    boolean takes(PendingMessage message) {
      return messages.isEmpty()
          || (messages.size() < most
              && (sharing == null || micros + pace(message) <= sharing.micros()));
    }

    void take(PendingMessage message) {
      messages.add(message);
      micros += pace(message);
    }

    private double pace(PendingMessage message) {
      return sharing != null && message.plan instanceof Plan.Handle plan
          ? sharing.pace(plan.registration())
          : 0;
    }
  }
}
