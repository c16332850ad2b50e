package io.waybill.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What operators decided about events that did not go the usual way, by the audit.
 *
 * @param givenUp skipped or buried, by their ids
 * @param corrected ids of events that were written in place of others
 * @param poison ids of events that no broker takes, which are in no ledger
 * @param told a line for each decision: the event, what, who and why
 */
record Repairs(Set<String> givenUp, Set<String> corrected, Set<String> poison, List<String> told) {
  static final Repairs NONE = new Repairs(Set.of(), Set.of(), Set.of(), List.of());

  // The audit of a correction names the event that was written in place of the other one.
  private static final String DECIDED =
      """
      select event_id, verb, requested_by, reason from waybill_audit
      where done and event_id is not null and verb in ('SKIP', 'BURY', 'APPEND') order by id""";

  private static final String NOTES = "select event_id from order_notes";

  static Repairs read(Connection connection) throws SQLException {
    Set<String> givenUp = new HashSet<>();
    Set<String> corrected = new HashSet<>();
    Set<String> poison = new HashSet<>();
    List<String> told = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(DECIDED)) {
        while (row.next()) {
          (row.getString(2).equals("APPEND") ? corrected : givenUp).add(row.getString(1));
          told.add(
              "%s  %s by %s: %s"
                  .formatted(
                      row.getString(1), row.getString(2), row.getString(3), row.getString(4)));
        }
      }
      try (ResultSet row = statement.executeQuery(NOTES)) {
        while (row.next()) {
          poison.add(row.getString(1));
        }
      }
    }
    return new Repairs(givenUp, corrected, poison, told);
  }
}
