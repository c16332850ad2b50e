package io.waybill.internal.jdbc.kernel;

import io.waybill.database.DatabaseKind;

/** The dialect of each product. */
public final class Dialects {
  private Dialects() {}

  /**
   * The dialect of a product, for tables of any layout.
   *
   * @param kind the product
   * @return the dialect
   */
  public static SqlDialect of(DatabaseKind kind) {
    return switch (kind) {
      case POSTGRESQL -> new PostgresDialect();
      case MYSQL -> MySqlDialect.mySql();
      case MARIADB -> MySqlDialect.mariaDb();
    };
  }
}
