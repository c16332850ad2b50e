package io.waybill.jdbc.dialect;

import java.util.regex.Pattern;

/** Checks and quotes SQL identifiers, which come from configuration only. */
public final class Identifiers {
  private static final Pattern FORM = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  private Identifiers() {}

  /**
   * Quotes an identifier.
   *
   * @param what what the identifier names, for the error message
   * @param identifier plain identifier
   * @return the identifier in double quotes
   * @throws IllegalArgumentException if it is not of the form {@code [A-Za-z_][A-Za-z0-9_]{0,62}}
   */
  public static String quote(String what, String identifier) {
    if (!FORM.matcher(identifier).matches()) {
      throw new IllegalArgumentException(
          "The name of the " + what + " must match " + FORM + ", but is '" + identifier + "'");
    }
    return '"' + identifier + '"';
  }
}
