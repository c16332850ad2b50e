package io.waybill.message;

import io.waybill.internal.text.Quoted;
import org.jspecify.annotations.Nullable;

/**
 * One broken rule.
 *
 * @param field the field that breaks it, for example {@code aggregateId}
 * @param rule the rule, for example {@code must be at most 255 bytes}
 * @param value the value found, unescaped; {@link #shown} escapes it
 */
public record Violation(String field, String rule, @Nullable String value) {
  /**
   * The value as it can be shown.
   *
   * @return the value in quotes, shortened, escaped where a terminal or a log would act on it
   */
  public String shown() {
    return Quoted.of(value);
  }

  /** Field, rule and value in one line, the value shortened and escaped. */
  @Override
  public String toString() {
    return field + " " + rule + ", is " + shown();
  }
}
