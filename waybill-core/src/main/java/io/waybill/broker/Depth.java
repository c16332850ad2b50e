package io.waybill.broker;

/**
 * What a partition or queue holds.
 *
 * @param first position of its first message; 0 of a queue
 * @param end position after its last message; of a queue the number of messages that are ready
 */
public record Depth(long first, long end) {
  /**
   * How much lies there.
   *
   * @return number of messages; of a log an upper bound, since compaction and transactions leave
   *     gaps
   */
  public long messages() {
    return Math.max(0, end - first);
  }
}
