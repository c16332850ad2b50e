package io.waybill.internal.sql;

import io.waybill.internal.text.SqlName;

/** Checks and quotes SQL identifiers, which come from configuration only. */
public final class Identifiers {
  private Identifiers() {}

  /**
   * Checks an identifier.
   *
   * @param what kind of object that the identifier names, for the error message
   * @param identifier plain identifier
   * @return the identifier
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#FORM}
   */
  public static String check(String what, String identifier) {
    return require(SqlName.isValid(identifier), what, SqlName.FORM, identifier);
  }

  /**
   * Checks the name of a role or database.
   *
   * @param what kind of object that the name belongs to, for the error message
   * @param name plain name
   * @return the name
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#SERVER_FORM}
   */
  public static String checkOnServer(String what, String name) {
    return require(SqlName.isValidOnServer(name), what, SqlName.SERVER_FORM, name);
  }

  private static String require(boolean valid, String what, String form, String name) {
    if (!valid) {
      throw new IllegalArgumentException(
          "The name of the " + what + " must match " + form + ", but is '" + name + "'");
    }
    return name;
  }

  /**
   * Quotes an identifier.
   *
   * @param what kind of object that the identifier names, for the error message
   * @param identifier plain identifier
   * @return the identifier in double quotes
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#FORM}
   */
  public static String quote(String what, String identifier) {
    return '"' + check(what, identifier) + '"';
  }

  /**
   * Quotes the name of a role or database.
   *
   * @param what kind of object that the name belongs to, for the error message
   * @param name plain name
   * @return the name in double quotes
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#SERVER_FORM}
   */
  public static String quoteOnServer(String what, String name) {
    return '"' + checkOnServer(what, name) + '"';
  }

  /**
   * A name from PostgreSQL, in the form for a statement.
   *
   * @param name any name
   * @return the name, in double quotes if necessary
   */
  public static String shown(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }
}
