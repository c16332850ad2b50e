package io.waybill.internal.text;

import java.util.regex.Pattern;

/** The allowed forms of names in SQL, which come from configuration only. */
public final class SqlName {
  /** The form of names of tables and columns, and of PostgreSQL's schemas, for messages. */
  public static final String FORM = "[A-Za-z_][A-Za-z0-9_]{0,62}";

  /**
   * The form of names of roles and databases, for messages. Names that cloud providers derive from
   * e-mail addresses need more characters. They are always quoted, and contain no quotes.
   */
  public static final String SERVER_FORM = "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,62}";

  private static final Pattern PATTERN = Pattern.compile(FORM);
  private static final Pattern SERVER_PATTERN = Pattern.compile(SERVER_FORM);

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

  /**
   * Whether a text can be used as the name of a role or database.
   *
   * @param text the text
   * @return true if it has the form {@link #SERVER_FORM}
   */
  public static boolean isValidOnServer(String text) {
    return SERVER_PATTERN.matcher(text).matches();
  }
}
