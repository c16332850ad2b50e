package io.waybill.observe;

import java.util.Objects;

/**
 * A problem that a start-up check found.
 *
 * @param check the check that found it
 * @param subject the object concerned, for example {@code queue orders}
 * @param detail one sentence: the rule and the actual state
 * @param remedy statement or setting that fixes it
 */
public record Finding(Check check, String subject, String detail, String remedy) {

  /** The effect of a finding on the start. */
  public enum Severity {
    /** Events can be lost: the relay refuses to start. */
    REFUSE,
    /** A warning: the relay starts. */
    WARN,
    /** Nothing is wrong: the finding says what could be gained. */
    NOTE
  }

  /** Checks that all parts are given. */
  public Finding {
    Objects.requireNonNull(check, "check");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(remedy, "remedy");
  }

  /**
   * Whether the finding prevents the start.
   *
   * @return the severity of its check
   */
  public Severity severity() {
    return check.severity();
  }

  /**
   * The finding in one line.
   *
   * @return code, subject, detail and remedy
   */
  public String text() {
    return check.code() + ": " + subject + ": " + detail + "; fix: " + remedy;
  }
}
