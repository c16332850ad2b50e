package io.waybill.internal.jdbc.schema;

import io.waybill.database.SchemaOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table, column, index or constraint that the scripts make, read from the scripts themselves.
 *
 * @param kind what it is
 * @param name its name, with the table in front for columns and constraints
 * @param mend statement that makes it
 * @param remake statements that replace it when it is invalid
 */
record ExpectedThing(String kind, String name, String mend, String remake) {
  // The scripts keep one column or constraint to an item and one item to a line start; the test of
  // this class compares the result with the catalogue of a real server.
  private static final Pattern TABLE =
      Pattern.compile(
          "create table (?:if not exists )?\\S+\\.(\\w+) \\(\n(.*?)\n\\)[^;]*;", Pattern.DOTALL);
  private static final Pattern INDEX =
      Pattern.compile("create index (\\w+)\\s+on \\S+\\.(\\w+)[^;]*;");
  private static final Pattern KEY = Pattern.compile("key (\\w+) .*", Pattern.DOTALL);
  private static final Pattern VIEW =
      Pattern.compile("create (?:[\\w =]+ )?view \\S+\\.(waybill_\\w+) as[^;]*;");
  private static final Pattern ITEM =
      Pattern.compile(
          "^  (?:constraint (\\w+)|(?!constraint )(\\w+))[^\n]*(?:\n    [^\n]*)*",
          Pattern.MULTILINE);

  String key() {
    return kind + " " + name;
  }

  static List<ExpectedThing> of(SchemaDialect dialect, SchemaOptions options, ScriptSet scripts) {
    return new Parser(dialect, dialect.quote("schema", options.schema()))
        .parse(options, scripts.scripts());
  }

  /** Reads the scripts. */
  private record Parser(SchemaDialect dialect, String schema) {
    List<ExpectedThing> parse(SchemaOptions options, List<SchemaScript> scripts) {
      List<ExpectedThing> things = new ArrayList<>();
      for (SchemaScript script : scripts) {
        String sql = script.sql(dialect, options);
        tables(sql, things);
        INDEX
            .matcher(sql)
            .results()
            .forEach(m -> things.add(index(m.group(2), m.group(1), m.group())));
        VIEW.matcher(sql)
            .results()
            .forEach(m -> things.add(new ExpectedThing("table", m.group(1), m.group(), m.group())));
      }
      return things;
    }

    private void tables(String sql, List<ExpectedThing> things) {
      Matcher tables = TABLE.matcher(sql.replaceAll("(?m)^ *--.*\n", ""));
      while (tables.find()) {
        String table = tables.group(1);
        things.add(new ExpectedThing("table", table, tables.group(), tables.group()));
        Matcher items = ITEM.matcher(tables.group(2));
        while (items.find()) {
          String definition = items.group().strip().replaceAll(",$", "");
          things.add(item(table, items.group(1), items.group(2), definition));
        }
      }
    }

    private ExpectedThing item(
        String table, @Nullable String constraint, @Nullable String column, String definition) {
      Matcher key = KEY.matcher(definition);
      if (key.matches()) {
        return index(table, key.group(1), alter(table) + "add " + definition + ";");
      }
      return constraint == null
          ? column(table, Objects.requireNonNull(column), definition)
          : constraint(table, constraint, definition);
    }

    private ExpectedThing index(String table, String name, String statement) {
      String drop = dialect.dropIndex(schema, table, name);
      return new ExpectedThing("index", name, statement, drop + statement);
    }

    private ExpectedThing column(String table, String name, String definition) {
      String mend = alter(table) + "add column " + definition + ";";
      return new ExpectedThing("column", table + "." + name, mend, mend);
    }

    private ExpectedThing constraint(String table, String name, String definition) {
      return new ExpectedThing(
          "constraint",
          table + "." + name,
          alter(table) + "add " + definition + ";",
          alter(table) + dialect.validate(name, definition));
    }

    private String alter(String table) {
      return "alter table " + schema + "." + table + " ";
    }
  }
}
