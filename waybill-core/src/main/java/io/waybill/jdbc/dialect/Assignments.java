package io.waybill.jdbc.dialect;

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
