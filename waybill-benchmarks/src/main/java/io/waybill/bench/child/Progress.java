package io.waybill.bench.child;

/**
 * Counts what is finished, tells the parent when half and all of it is, and answers when the parent
 * asks for the count. Thread-safe.
 */
public final class Progress {
  private final Control control;
  private final long total;
  private long completed;
  private long lastNanos = System.nanoTime();
  private boolean pastHalf;

  /**
   * Nothing is finished yet.
   *
   * @param control line to the parent
   * @param total number of events of the run
   */
  public Progress(Control control, long total) {
    this.control = control;
    this.total = total;
    control.counter(this::answer);
  }

  /**
   * More is finished. The words to the parent are {@code half} or {@code done}, the number finished
   * and the monotonic time.
   *
   * @param count how many events
   */
  public synchronized void completed(long count) {
    completed += count;
    lastNanos = System.nanoTime();
    if (!pastHalf && completed * 2 >= total) {
      pastHalf = true;
      control.tell("half", completed, lastNanos);
    }
    if (completed >= total && completed - count < total) {
      control.tell("done", completed, lastNanos);
    }
  }

  private synchronized String answer() {
    return completed + " " + lastNanos;
  }
}
