package io.waybill.internal.jdbc.operator;

import org.jspecify.annotations.Nullable;

/** An event cannot be corrected, or not in this way. */
public final class CorrectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String field;
  private final String rule;
  private final String value;

  private CorrectionException(@Nullable String field, String rule, String value, String message) {
    super(message);
    this.field = field;
    this.rule = rule;
    this.value = value;
  }

  /** The event is not in a state in which it can be corrected. */
  static CorrectionException state(String why) {
    return new CorrectionException(null, "", "", why);
  }

  /** What is given breaks a rule. */
  static CorrectionException content(String field, String rule, String value) {
    String but = value.isEmpty() ? "" : ", but is " + value;
    return new CorrectionException(field, rule, value, field + " " + rule + but);
  }

  /** The part of the event that breaks a rule; null if its state does not fit. */
  public @Nullable String field() {
    return field;
  }

  /** The rule. */
  public String rule() {
    return rule;
  }

  /** What breaks it, as far as it is shown. */
  public String value() {
    return value;
  }
}
