package io.waybill.message;

import io.waybill.internal.text.Quoted;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An event breaks limits. Nothing has been written, and the transaction is as it was. The message
 * names each field, rule and value; values are shortened and escaped.
 */
public class InvalidEventException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final transient List<Violation> violations;

  /**
   * Reports all broken rules of one event.
   *
   * @param eventId id of the event, or null if it has none yet
   * @param violations the broken rules, at least one
   */
  public InvalidEventException(@Nullable String eventId, List<Violation> violations) {
    super(message(eventId, violations));
    this.violations = List.copyOf(violations);
  }

  InvalidEventException(@Nullable String eventId, Violation violation, Throwable cause) {
    super(message(eventId, List.of(violation)), cause);
    this.violations = List.of(violation);
  }

  /**
   * The broken rules.
   *
   * @return at least one; empty after deserialisation
   */
  public List<Violation> violations() {
    return violations == null ? List.of() : violations;
  }

  private static String message(@Nullable String eventId, List<Violation> violations) {
    String event = eventId == null ? "Event" : "Event " + Quoted.of(eventId);
    return event
        + " refused: "
        + violations.stream().map(Violation::toString).collect(Collectors.joining("; "));
  }
}
