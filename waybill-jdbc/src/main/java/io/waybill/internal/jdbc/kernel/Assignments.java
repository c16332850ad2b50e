package io.waybill.internal.jdbc.kernel;

import java.util.Map;
import java.util.stream.Collectors;

/** What stands behind SET. */
final class Assignments {
  private Assignments() {}

  static String of(Map<String, String> changes) {
    return changes.entrySet().stream()
        .map(change -> change.getKey() + " = " + change.getValue())
        .collect(Collectors.joining(", "));
  }
}
