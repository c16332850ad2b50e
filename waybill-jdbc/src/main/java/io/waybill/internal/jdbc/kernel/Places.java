package io.waybill.internal.jdbc.kernel;

/** Rounds numbers of parameters, which keeps the number of different prepared statements low. */
public final class Places {
  private static final int LONGEST_LIST = 512;

  private Places() {}

  /**
   * Number of parameters for a number of values.
   *
   * @param values number of values, at least 1
   * @return the next power of two
   */
  public static int padded(int values) {
    return values <= 1 ? 1 : Integer.highestOneBit(values - 1) << 1;
  }

  /**
   * That a column has one of some values, in short lists. MariaDB makes a table of a list of 1,000,
   * and may then scan the column's table. A statement that writes would wait there for rows that
   * others have not committed (MariaDB Server Documentation, "Conversion of Big IN Predicates Into
   * Subqueries").
   */
  static String oneOf(String column, int values) {
    int places = padded(values);
    int each = Math.min(places, LONGEST_LIST);
    String list = column + " in (?" + ", ?".repeat(each - 1) + ")";
    return "(" + list + (" or " + list).repeat(places / each - 1) + ")";
  }
}
