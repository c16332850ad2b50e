package io.waybill.internal.jdbc.outbox;

import io.waybill.database.OnPublished;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.sql.Identifiers;
import java.time.Duration;
import java.util.Objects;

/**
 * How a relay uses an outbox on PostgreSQL. Immutable.
 *
 * @param schema plain name of the schema that holds the tables
 * @param onPublished what happens to published rows
 * @param statementLimit time after which a statement is cancelled, at least one second
 * @param applicationName name of the connections in the server's views
 * @param maxEventBytes most bytes of an event, payload, headers and texts together: a larger one is
 *     not read but parked as {@code too-large}
 */
public record PostgresOptions(
    String schema,
    OnPublished onPublished,
    Duration statementLimit,
    String applicationName,
    int maxEventBytes) {
  /** Checks the values. */
  public PostgresOptions {
    Identifiers.quote("schema", schema);
    Objects.requireNonNull(onPublished, "onPublished");
    Objects.requireNonNull(applicationName, "applicationName");
    if (statementLimit.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "The statement limit must be at least 1 second, but is " + statementLimit);
    }
    EventBytes.check(maxEventBytes);
  }

  /**
   * The defaults: schema {@code public}, published rows deleted, 10 seconds per statement, 16 MiB
   * per event.
   *
   * @return defaults
   */
  public static PostgresOptions ofDefaults() {
    return new PostgresOptions(
        "public", OnPublished.DELETE, Duration.ofSeconds(10), "waybill", RowBound.USUAL.maxBytes());
  }

  /**
   * The same with another schema.
   *
   * @param name plain name of the schema
   * @return changed copy
   */
  public PostgresOptions schema(String name) {
    return new PostgresOptions(name, onPublished, statementLimit, applicationName, maxEventBytes);
  }

  /**
   * The same with another handling of published rows.
   *
   * @param fate what happens to them
   * @return changed copy
   */
  public PostgresOptions onPublished(OnPublished fate) {
    return new PostgresOptions(schema, fate, statementLimit, applicationName, maxEventBytes);
  }

  /**
   * The same with another limit for statements.
   *
   * @param limit at least one second
   * @return changed copy
   */
  public PostgresOptions statementLimit(Duration limit) {
    return new PostgresOptions(schema, onPublished, limit, applicationName, maxEventBytes);
  }

  /**
   * The same with another application name.
   *
   * @param name name of the connections in the server's views
   * @return changed copy
   */
  public PostgresOptions applicationName(String name) {
    return new PostgresOptions(schema, onPublished, statementLimit, name, maxEventBytes);
  }

  /**
   * The same with another bound on events.
   *
   * @param bytes from 64 KiB to 256 MiB, 16 MiB by default; a relay's heap has to hold several
   * @return changed copy
   */
  public PostgresOptions maxEventBytes(int bytes) {
    return new PostgresOptions(schema, onPublished, statementLimit, applicationName, bytes);
  }
}
