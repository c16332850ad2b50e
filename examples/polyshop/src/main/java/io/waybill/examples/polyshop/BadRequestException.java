package io.waybill.examples.polyshop;

import io.waybill.message.Violation;
import java.util.List;
import java.util.stream.Collectors;

/** A request that breaks rules; nothing has been written. */
final class BadRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<Violation> violations;

  BadRequestException(List<Violation> violations) {
    super(violations.stream().map(Violation::toString).collect(Collectors.joining("; ")));
    this.violations = List.copyOf(violations);
  }

  /** The broken rules, at least one. */
  List<Violation> violations() {
    return violations;
  }
}
