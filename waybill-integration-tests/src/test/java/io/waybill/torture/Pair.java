package io.waybill.torture;

import io.waybill.database.DatabaseKind;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A database and a broker. */
enum Pair {
  POSTGRESQL_KAFKA(DatabaseKind.POSTGRESQL, true),
  POSTGRESQL_RABBITMQ(DatabaseKind.POSTGRESQL, false),
  MARIADB_KAFKA(DatabaseKind.MARIADB, true),
  MARIADB_RABBITMQ(DatabaseKind.MARIADB, false),
  /** MySQL 9, which has to be unpacked. */
  MYSQL_KAFKA(DatabaseKind.MYSQL, true);

  private final DatabaseKind database;
  private final boolean kafka;

  Pair(DatabaseKind database, boolean kafka) {
    this.database = database;
    this.kafka = kafka;
  }

  DatabaseKind database() {
    return database;
  }

  boolean kafka() {
    return kafka;
  }

  String label() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  static Pair of(String label) {
    return Arrays.stream(values())
        .filter(pair -> pair.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--pair must be one of "
                        + Arrays.stream(values()).map(Pair::label).collect(Collectors.joining(", "))
                        + ", is '"
                        + label
                        + "'"));
  }
}
