package io.waybill.jdbc;

/**
 * Something that is not as it should be.
 *
 * @param severity how bad it is
 * @param text what is wrong, naming the thing
 * @param mend statement or setting that mends it
 */
public record Finding(Severity severity, String text, String mend) {
  /** How bad a finding is. */
  public enum Severity {
    /** Events could be lost or the relay cannot work: it does not start. */
    REFUSE,
    /** It works, but slower or with less information. */
    WARN
  }

  static Finding refuse(String text, String mend) {
    return new Finding(Severity.REFUSE, text, mend);
  }

  static Finding warn(String text, String mend) {
    return new Finding(Severity.WARN, text, mend);
  }

  @Override
  public String toString() {
    return severity + ": " + text + ". Mend with: " + mend;
  }
}
