package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A MySQL or MariaDB is known by its own name and by that of its cluster, where it is a node of
 * one: locks and what has been read on one node mean nothing on the others. What is committed on
 * one is on all of them.
 *
 * @param mariaDb whether it is MariaDB, which has no identifier but its address
 * @param byNode whether nodes of a cluster are told apart
 */
public record MySqlHistory(boolean mariaDb, boolean byNode) implements ServerHistory {
  private static final String MARIADB =
      """
      select 'server ', concat(@@hostname, ':', @@port, ':', @@server_id)
      union all
      select 'Galera cluster ', variable_value from information_schema.global_status
      where variable_name = 'wsrep_cluster_state_uuid'""";

  private static final String MYSQL =
      """
      select 'server ', @@server_uuid
      union all
      select 'Galera cluster ', variable_value from performance_schema.global_status
      where variable_name = 'wsrep_cluster_state_uuid'
      union all
      select 'replication group ', variable_value from performance_schema.global_variables
      where variable_name = 'group_replication_group_name'""";

  @Override
  public String read(Connection connection) throws SQLException {
    StringBuilder name = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(mariaDb ? MARIADB : MYSQL)) {
      while (result.next()) {
        String value = result.getString(2);
        // A server that could be a node, and is none, has zeros or nothing.
        if (value != null && !value.matches("[0-]*")) {
          if (!byNode) {
            // The last one, if there are two, is the cluster.
            name.setLength(0);
          }
          name.append(name.isEmpty() ? "" : " of ").append(result.getString(1)).append(value);
        }
      }
    }
    return name.toString();
  }
}
