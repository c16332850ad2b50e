package io.waybill.examples.polyshop;

import java.util.List;

/**
 * What became of the orders.
 *
 * @param checks what was compared
 * @param traceIds one of each order
 */
record Result(List<Check> checks, List<String> traceIds) {
  Result {
    checks = List.copyOf(checks);
    traceIds = List.copyOf(traceIds);
  }

  /**
   * One comparison.
   *
   * @param what in words
   * @param expected by the orders
   * @param found at the service
   */
  record Check(String what, Object expected, Object found) {
    boolean right() {
      return expected.equals(found);
    }

    @Override
    public String toString() {
      return right() ? what : what + ": NOT SO: expected " + expected + ", found " + found;
    }
  }

  boolean clean() {
    return checks.stream().allMatch(Check::right);
  }

  List<String> lines() {
    return checks.stream().map(Check::toString).toList();
  }
}
