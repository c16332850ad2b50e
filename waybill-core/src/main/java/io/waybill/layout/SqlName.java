package io.waybill.layout;

import java.util.regex.Pattern;

/** The form of the names of schemas, tables and columns, which come from configuration only. */
public final class SqlName {
  /** The form, for messages. */
  public static final String FORM = "[A-Za-z_][A-Za-z0-9_]{0,62}";

  private static final Pattern PATTERN = Pattern.compile(FORM);

  private SqlName() {}

  /**
   * Whether a text can be used as a name.
   *
   * @param text the text
   * @return true if it has the form {@link #FORM}
   */
  public static boolean isValid(String text) {
    return PATTERN.matcher(text).matches();
  }
}
