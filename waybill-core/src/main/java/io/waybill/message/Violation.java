package io.waybill.message;

import io.waybill.internal.text.Quoted;
import org.jspecify.annotations.Nullable;

/**
 * One broken rule.
 *
 * @param field the field that breaks it, for example {@code aggregateId}
 * @param rule the rule, for example {@code must be at most 255 bytes}
 * @param value the value found, unescaped: escape it before showing it
 */
public record Violation(String field, String rule, @Nullable String value) {
  /** Field, rule and value in one line, the value shortened and escaped. */
  @Override
  public String toString() {
    return field + " " + rule + ", is " + Quoted.of(value);
  }
}
