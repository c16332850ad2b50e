package io.waybill.jdbc.dialect;

import io.waybill.layout.SqlName;

/** Checks and quotes SQL identifiers, which come from configuration only. */
public final class Identifiers {
  private Identifiers() {}

  /**
   * Checks an identifier.
   *
   * @param what what the identifier names, for the error message
   * @param identifier plain identifier
   * @return the identifier
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#FORM}
   */
  public static String check(String what, String identifier) {
    if (!SqlName.isValid(identifier)) {
      throw new IllegalArgumentException(
          "The name of the "
              + what
              + " must match "
              + SqlName.FORM
              + ", but is '"
              + identifier
              + "'");
    }
    return identifier;
  }

  /**
   * Quotes an identifier.
   *
   * @param what what the identifier names, for the error message
   * @param identifier plain identifier
   * @return the identifier in double quotes
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#FORM}
   */
  public static String quote(String what, String identifier) {
    return '"' + check(what, identifier) + '"';
  }
}
