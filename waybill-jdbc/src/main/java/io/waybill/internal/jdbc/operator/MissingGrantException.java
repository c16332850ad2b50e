package io.waybill.internal.jdbc.operator;

/** The database user lacks a right that is granted apart. */
public final class MissingGrantException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingGrantException(String right, String table, String option) {
    super(
        "the database user must have %s of %s: schema print %s ROLE prints the grants"
            .formatted(right, table, option));
  }
}
