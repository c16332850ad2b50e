package io.waybill.observe;

import java.util.Objects;

/**
 * What a start-up check found wrong.
 *
 * @param severity whether it forbids the start
 * @param subject what it is about, for example {@code queue orders}
 * @param detail one sentence: the rule and what was found
 * @param remedy statement or setting that mends it
 */
public record Finding(Severity severity, String subject, String detail, String remedy) {

  /** What a finding means for the start. */
  public enum Severity {
    /** Events can be lost: the relay refuses to start. */
    REFUSE,
    /** Worth knowing; the relay starts. */
    WARN
  }

  /** Checks that all parts are given. */
  public Finding {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(remedy, "remedy");
  }

  /**
   * Something that can lose events.
   *
   * @param subject what it is about
   * @param detail rule and what was found
   * @param remedy what mends it
   * @return the finding
   */
  public static Finding refuse(String subject, String detail, String remedy) {
    return new Finding(Severity.REFUSE, subject, detail, remedy);
  }

  /**
   * Something worth knowing.
   *
   * @param subject what it is about
   * @param detail rule and what was found
   * @param remedy what mends it
   * @return the finding
   */
  public static Finding warn(String subject, String detail, String remedy) {
    return new Finding(Severity.WARN, subject, detail, remedy);
  }
}
