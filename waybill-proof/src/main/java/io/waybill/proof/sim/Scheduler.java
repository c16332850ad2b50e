package io.waybill.proof.sim;

import java.util.PriorityQueue;

/** Virtual time: tasks in the order of their time, then of their scheduling. */
final class Scheduler {
  private record Task(long at, long sequence, Runnable action) implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
    }
  }

  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long sequence;
  private long now;
  private long steps;

  long now() {
    return now;
  }

  long steps() {
    return steps;
  }

  void at(long time, Runnable action) {
    tasks.add(new Task(Math.max(now, time), sequence++, action));
  }

  void after(long delay, Runnable action) {
    at(now + delay, action);
  }

  /** Runs what is due until then; time stands there afterwards. */
  void runUntil(long end) {
    for (Task task = tasks.peek(); task != null && task.at <= end; task = tasks.peek()) {
      tasks.poll();
      now = task.at;
      steps++;
      task.action.run();
    }
    now = end;
  }
}
