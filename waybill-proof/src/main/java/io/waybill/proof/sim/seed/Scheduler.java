package io.waybill.proof.sim.seed;

import java.util.PriorityQueue;

/** Virtual time: tasks in the order of their time, then of their scheduling. */
public final class Scheduler {
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

  /** Starts at 0, without a task. */
  public Scheduler() {}

  /** Nanoseconds since the start. */
  public long now() {
    return now;
  }

  /** How many tasks were carried out. */
  public long steps() {
    return steps;
  }

  /** Carries out a task at a time, or now if that is over. */
  public void at(long time, Runnable action) {
    tasks.add(new Task(Math.max(now, time), sequence++, action));
  }

  /** Carries out a task after so many nanoseconds. */
  public void after(long delay, Runnable action) {
    at(now + delay, action);
  }

  /** Runs what is due until then; time stands there afterwards. */
  public void runUntil(long end) {
    for (Task task = tasks.peek(); task != null && task.at <= end; task = tasks.peek()) {
      tasks.poll();
      now = task.at;
      steps++;
      task.action.run();
    }
    now = end;
  }
}
