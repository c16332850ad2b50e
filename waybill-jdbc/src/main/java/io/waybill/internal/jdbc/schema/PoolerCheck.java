package io.waybill.internal.jdbc.schema;

import io.waybill.database.Pooler;
import io.waybill.internal.jdbc.kernel.PostgresPooler;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Whether a pooler stands between the relay and a PostgreSQL, and nobody has allowed it. */
public final class PoolerCheck {
  private PoolerCheck() {}

  public static List<Finding> run(Connection connection, Pooler allowed) throws SQLException {
    String between = allowed == Pooler.NONE ? PostgresPooler.between(connection) : null;
    return between == null
        ? List.of()
        : List.of(
            new Finding(
                Check.POSTGRESQL_POOLER,
                "pooler",
                "The relay's connections go through a pooler: " + between,
                "a URL that leads to the server itself, or 'pooler: session' where the pooler is in"
                    + " session mode"));
  }
}
