package io.waybill.internal.jdbc.schema;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which other servers have the events of a MySQL or MariaDB, and when. */
final class MySqlReplication {
  private static final String ENABLED = "rpl_semi_sync_%s_enabled";
  private static final String WAIT_POINT = "rpl_semi_sync_%s_wait_point";

  private final Map<String, String> settings;
  private final List<Finding> findings = new ArrayList<>();

  private MySqlReplication(Map<String, String> settings) {
    this.settings = settings;
  }

  static List<Finding> run(Connection connection, String replicas, Map<String, String> settings)
      throws SQLException {
    MySqlReplication checks = new MySqlReplication(settings);
    checks.nodes();
    try (PreparedStatement statement = connection.prepareStatement(replicas);
        ResultSet result = statement.executeQuery()) {
      if (result.next() && result.getLong(1) > 0) {
        checks.replicas(result.getLong(1));
      }
    }
    return checks.findings;
  }

  private String setting(String name) {
    return settings.getOrDefault(name, "");
  }

  private boolean on(String name) {
    return setting(name).equalsIgnoreCase("ON") || setting(name).equals("1");
  }

  /** Locks and what can be read are those of one node. */
  private void nodes() {
    if (on("wsrep_on")) {
      several(
          "wsrep_on",
          "a Galera cluster",
          "one node's address for the relay and for all writers, without balancing");
    } else if (!setting("group_replication_group_name").isEmpty()
        && !on("group_replication_single_primary_mode")) {
      several(
          "group_replication_single_primary_mode",
          "a replication group, which Waybill has not been tested with",
          "select group_replication_switch_to_single_primary_mode()");
    }
  }

  private void several(String subject, String cluster, String remedy) {
    findings.add(
        new Finding(
            Check.MYSQL_SEVERAL_WRITERS,
            subject,
            "Each node of "
                + cluster
                + " accepts writes, sees those of other nodes later, and their locks not at all: the"
                + " relays and all writers must use one node (%s = %s)"
                    .formatted(subject, setting(subject)),
            remedy));
  }

  private void replicas(long count) {
    // The names of before and since MySQL 8.0.26; MariaDB has the older ones.
    String source = setting(ENABLED.formatted("source")).isEmpty() ? "master" : "source";
    String enabled = ENABLED.formatted(source);
    String waitPoint = WAIT_POINT.formatted(source);
    if (!on(enabled)) {
      asynchronous(
          enabled,
          "Replicas follow asynchronously: a failover can undo events that were published"
              + " (replicas: %d)".formatted(count),
          "set global %s = on; set global %s = 'AFTER_SYNC'".formatted(enabled, waitPoint));
    } else if (setting(waitPoint).equalsIgnoreCase("AFTER_COMMIT")) {
      asynchronous(
          waitPoint,
          "Events are read before a replica has them: a failover can undo events that were"
              + " published (%s = AFTER_COMMIT)".formatted(waitPoint),
          "set global %s = 'AFTER_SYNC'".formatted(waitPoint));
    }
  }

  private void asynchronous(String subject, String detail, String remedy) {
    findings.add(new Finding(Check.MYSQL_REPLICA_ASYNCHRONOUS, subject, detail, remedy));
  }
}
