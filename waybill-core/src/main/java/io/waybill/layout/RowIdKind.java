package io.waybill.layout;

/** Type of a table's primary key. */
public enum RowIdKind {
  /** An integer of at most 64 bits; rows have {@link Long}. */
  LONG,
  /** A character type; rows have {@link String}. */
  STRING,
  /**
   * A {@code uuid} on PostgreSQL; rows have {@link java.util.UUID}. On MySQL and MariaDB, where
   * such ids are texts, rows have {@link String}.
   */
  UUID
}
