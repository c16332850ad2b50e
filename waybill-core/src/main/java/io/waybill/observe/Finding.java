package io.waybill.observe;

import java.util.Objects;

/**
 * What a start-up check found wrong.
 *
 * @param check the check that found it
 * @param subject what it is about, for example {@code queue orders}
 * @param detail one sentence: the rule and what was found
 * @param remedy statement or setting that mends it
 */
public record Finding(Check check, String subject, String detail, String remedy) {

  /** What a finding means for the start. */
  public enum Severity {
    /** Events can be lost: the relay refuses to start. */
    REFUSE,
    /** Worth knowing; the relay starts. */
    WARN
  }

  /** Checks that all parts are given. */
  public Finding {
    Objects.requireNonNull(check, "check");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(remedy, "remedy");
  }

  /**
   * Whether it forbids the start.
   *
   * @return the severity of its check
   */
  public Severity severity() {
    return check.severity();
  }
}
