package io.waybill.message;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects broken rules; allocates nothing for a good event. */
final class Violations {
  private List<Violation> list = List.of();

  void add(String field, String rule, @Nullable String value) {
    if (list.isEmpty()) {
      list = new ArrayList<>();
    }
    list.add(new Violation(field, rule, value));
  }

  /** Bytes of a text that must be well-formed, short and printable; what is wrong is collected. */
  int text(String field, String value, int maxBytes) {
    int bytes = StrictUtf8.length(value);
    if (bytes < 0) {
      add(field, StrictUtf8.RULE, value);
      return value.length();
    }
    if (bytes > maxBytes) {
      add(field, "must be at most " + maxBytes + " bytes", value);
    }
    if (hasControl(value)) {
      add(field, "must have no control characters", value);
    }
    return bytes;
  }

  void name(String field, @Nullable String value) {
    if (value == null) {
      return;
    }
    if (value.isEmpty()) {
      add(field, "must not be empty", value);
    }
    text(field, value, EventLimits.MAX_NAME_BYTES);
  }

  List<Violation> list() {
    return Collections.unmodifiableList(list);
  }

  private static boolean hasControl(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (Character.isISOControl(value.charAt(i))) {
        return true;
      }
    }
    return false;
  }
}
