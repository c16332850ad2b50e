package io.waybill.internal.work;

/** The one source of time of a relay: monotonic nanoseconds, meaningful only as differences. */
@FunctionalInterface
public interface Ticker {
  /** The machine's monotonic clock. */
  Ticker SYSTEM = System::nanoTime;

  /**
   * Now.
   *
   * @return nanoseconds since an arbitrary moment
   */
  long nanos();
}
