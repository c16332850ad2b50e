package io.waybill.bench.child;

/** Counts what is finished, tells the parent when half and all of it is. Thread-safe. */
final class Progress {
  private final Control control;
  private final long total;
  private long completed;
  private boolean pastHalf;

  Progress(Control control, long total) {
    this.control = control;
    this.total = total;
  }

  /** The words are {@code half} or {@code done}, the number finished and the monotonic time. */
  synchronized void completed(long count) {
    completed += count;
    if (!pastHalf && completed * 2 >= total) {
      pastHalf = true;
      control.tell("half", completed, System.nanoTime());
    }
    if (completed >= total && completed - count < total) {
      control.tell("done", completed, System.nanoTime());
    }
  }
}
