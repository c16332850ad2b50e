package io.waybill.work;

/** A piece of background work. */
@FunctionalInterface
public interface Duty {
  /**
   * Does what there is to do, waiting for it for a bounded time.
   *
   * @return how much was done, 0 for nothing
   * @throws InterruptedException if the worker is being stopped
   */
  int doWork() throws InterruptedException;
}
