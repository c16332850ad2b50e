package io.waybill.database;

import io.waybill.internal.sql.Identifiers;

/**
 * The schema and number of lanes of an outbox to set up.
 *
 * @param schema plain name of the schema; created if it is missing
 * @param lanes number of lanes, 1 to 1024; fixed when the tables are created
 */
public record SchemaOptions(String schema, int lanes) {
  /** Checks the values. */
  public SchemaOptions {
    Identifiers.checkOnServer("schema", schema);
    if (lanes < 1 || lanes > 1024) {
      throw new IllegalArgumentException("The number of lanes must be 1 to 1024, but is " + lanes);
    }
  }

  /**
   * The defaults: schema {@code public} with 64 lanes.
   *
   * @return defaults
   */
  public static SchemaOptions ofDefaults() {
    return new SchemaOptions("public", 64);
  }

  /**
   * The same in another schema.
   *
   * @param name plain name of the schema
   * @return changed copy
   */
  public SchemaOptions schema(String name) {
    return new SchemaOptions(name, lanes);
  }

  /**
   * The same with another number of lanes.
   *
   * @param number 1 to 1024
   * @return changed copy
   */
  public SchemaOptions lanes(int number) {
    return new SchemaOptions(schema, number);
  }
}
