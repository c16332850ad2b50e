package io.waybill.observe;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A problem that a start-up check found.
 *
 * @param check the check that found it
 * @param subject the object concerned, for example {@code queue orders}
 * @param detail one sentence: the rule and the actual state
 * @param remedy statement or setting that fixes it
 * @param command a statement or a command for a shell that can be run as it stands, and fixes it or
 *     shows what would; null if there is none
 */
public record Finding(
    Check check, String subject, String detail, String remedy, @Nullable String command) {

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
   * A problem whose remedy is no command.
   *
   * @param check the check that found it
   * @param subject the object concerned
   * @param detail one sentence: the rule and the actual state
   * @param remedy statement or setting that fixes it
   */
  public Finding(Check check, String subject, String detail, String remedy) {
    this(check, subject, detail, remedy, null);
  }

  /**
   * The same, whose remedy can be run as it stands.
   *
   * @return finding with the remedy as its command
   */
  public Finding runnable() {
    return new Finding(check, subject, detail, remedy, remedy);
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
