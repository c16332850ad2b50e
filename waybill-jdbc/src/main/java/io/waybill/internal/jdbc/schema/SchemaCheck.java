package io.waybill.internal.jdbc.schema;

import io.waybill.database.SchemaOptions;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares the tables of a database with those that the scripts would make. */
public final class SchemaCheck {
  private static final String VERSIONS =
      "select version from ${schema}.${versions} order by version";

  // The tables without which the rest works.
  private static final String HISTORY = "waybill_rollup";
  private static final String LOGINS = "waybill_login";

  private final SchemaDialect dialect;
  private final SchemaOptions options;
  private final ScriptSet scripts;

  public SchemaCheck(SchemaDialect dialect, SchemaOptions options, ScriptSet scripts) {
    this.dialect = dialect;
    this.options = options;
    this.scripts = scripts;
  }

  public List<Finding> run(Connection connection) throws SQLException {
    Map<String, String> present = things(connection);
    if (!present.containsKey("table " + scripts.versions())) {
      return List.of(
          new Finding(
              Check.SCHEMA_MISSING,
              "schema " + options.schema(),
              "It has no tables of Waybill's " + scripts.subject(),
              scripts.remedy(),
              scripts.command()));
    }
    List<Finding> findings = new ArrayList<>(versions(connection));
    for (ExpectedThing thing : ExpectedThing.of(dialect, options, scripts)) {
      String found = present.get(thing.key());
      if (found == null) {
        findings.add(
            new Finding(missing(thing), thing.key(), "It is missing", thing.mend()).runnable());
      } else if (found.equals("invalid")) {
        findings.add(
            new Finding(Check.SCHEMA_PART_INVALID, thing.key(), "It is invalid", thing.remake())
                .runnable());
      }
    }
    return findings;
  }

  private static Check missing(ExpectedThing thing) {
    if (thing.name().startsWith(LOGINS)) {
      return Check.LOGIN_TABLE_MISSING;
    }
    return thing.name().startsWith(HISTORY)
        ? Check.HISTORY_TABLE_MISSING
        : Check.SCHEMA_PART_MISSING;
  }

  private Map<String, String> things(Connection connection) throws SQLException {
    Map<String, String> things = new TreeMap<>();
    try (PreparedStatement statement = dialect.things(connection, options.schema());
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        things.put(result.getString(1) + " " + result.getString(2), result.getString(3));
      }
    }
    return things;
  }

  private List<Finding> versions(Connection connection) throws SQLException {
    List<Integer> applied = new ArrayList<>();
    String query = scripts.filled(VERSIONS, dialect, options);
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        applied.add(result.getInt(1));
      }
    }
    List<Finding> findings = new ArrayList<>();
    int newest = scripts.newest();
    for (SchemaScript script : scripts.scripts()) {
      if (!applied.contains(script.version())) {
        findings.add(
            new Finding(
                Check.SCHEMA_OLD,
                "schema " + options.schema(),
                "The script " + script.resource() + " is not applied",
                scripts.remedy(),
                scripts.command()));
      }
    }
    for (int version : applied) {
      if (version > newest) {
        findings.add(
            new Finding(
                Check.SCHEMA_NEWER,
                "schema " + options.schema(),
                "The tables are of version " + version + ", this relay knows up to " + newest,
                "a newer relay"));
      }
    }
    return findings;
  }
}
