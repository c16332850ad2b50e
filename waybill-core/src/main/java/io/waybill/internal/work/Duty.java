package io.waybill.internal.work;

/** A piece of background work. */
@FunctionalInterface
public interface Duty {
  /**
   * Does the work that is due, waiting for it for a bounded time.
   *
   * @return how much was done, 0 for nothing
   * @throws InterruptedException if the worker is being stopped
   */
  int doWork() throws InterruptedException;
}
