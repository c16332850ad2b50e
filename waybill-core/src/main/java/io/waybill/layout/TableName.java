package io.waybill.layout;

import org.jspecify.annotations.Nullable;

/**
 * Name of a table.
 *
 * @param schema plain name of its schema (on MySQL and MariaDB: database), or null for that of the
 *     connection
 * @param name plain name of the table
 */
public record TableName(@Nullable String schema, String name) {
  @Override
  public String toString() {
    return schema == null ? name : schema + "." + name;
  }
}
