package io.waybill.bench.takeover;

/**
 * A stretch of monotonic time in nanoseconds.
 *
 * @param from its start, which is not in it
 * @param to its end, which is
 */
record Window(long from, long to) {
  boolean has(long moment) {
    return moment - from > 0 && moment - to <= 0;
  }
}
