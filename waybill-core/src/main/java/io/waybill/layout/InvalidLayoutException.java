package io.waybill.layout;

import io.waybill.message.Violation;
import java.util.List;
import java.util.stream.Collectors;

/** A layout breaks rules. The message names each field, rule and value. */
public class InvalidLayoutException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final transient List<Violation> violations;

  InvalidLayoutException(String layout, List<Violation> violations) {
    super(
        "Layout "
            + layout
            + " refused: "
            + violations.stream().map(Violation::toString).collect(Collectors.joining("; ")));
    this.violations = List.copyOf(violations);
  }

  /**
   * The broken rules.
   *
   * @return at least one; empty after deserialisation
   */
  public List<Violation> violations() {
    return violations == null ? List.of() : violations;
  }
}
