package io.waybill.jdbc;

import io.waybill.jdbc.dialect.Identifiers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
      Pattern.compile("create table \\S+\\.(waybill_\\w+) \\(\n(.*?)\n\\)", Pattern.DOTALL);
  private static final Pattern INDEX = Pattern.compile("create index (\\w+)\\s[^;]*;");
  private static final Pattern VIEW = Pattern.compile("create view \\S+\\.(waybill_\\w+) as[^;]*;");
  private static final Pattern ITEM =
      Pattern.compile(
          "^  (?:constraint (\\w+)|(?!constraint )(\\w+))[^\n]*(?:\n    [^\n]*)*",
          Pattern.MULTILINE);

  String key() {
    return kind + " " + name;
  }

  static List<ExpectedThing> of(SchemaOptions options) {
    List<ExpectedThing> things = new ArrayList<>();
    for (SchemaScript script : SchemaScript.ALL) {
      String sql = script.sql(options);
      tables(options, sql, things);
      INDEX.matcher(sql).results().forEach(m -> things.add(index(options, m.group(1), m.group())));
      VIEW.matcher(sql)
          .results()
          .forEach(m -> things.add(new ExpectedThing("table", m.group(1), m.group(), m.group())));
    }
    return things;
  }

  private static void tables(SchemaOptions options, String sql, List<ExpectedThing> things) {
    Matcher tables = TABLE.matcher(sql.replaceAll("(?m)^ *--.*\n", ""));
    while (tables.find()) {
      String table = tables.group(1);
      String whole = tables.group() + ";";
      things.add(new ExpectedThing("table", table, whole, whole));
      Matcher items = ITEM.matcher(tables.group(2));
      while (items.find()) {
        String definition = items.group().strip().replaceAll(",$", "");
        things.add(
            items.group(1) == null
                ? column(options, table, items.group(2), definition)
                : constraint(options, table, items.group(1), definition));
      }
    }
  }

  private static ExpectedThing index(SchemaOptions options, String name, String statement) {
    String drop = "drop index " + qualified(options, name) + "; ";
    return new ExpectedThing("index", name, statement, drop + statement);
  }

  private static ExpectedThing column(
      SchemaOptions options, String table, String name, String definition) {
    String mend = alter(options, table) + "add column " + definition + ";";
    return new ExpectedThing("column", table + "." + name, mend, mend);
  }

  private static ExpectedThing constraint(
      SchemaOptions options, String table, String name, String definition) {
    String alter = alter(options, table);
    return new ExpectedThing(
        "constraint",
        table + "." + name,
        alter + "add " + definition + ";",
        alter + "validate constraint " + name + ";");
  }

  private static String alter(SchemaOptions options, String table) {
    return "alter table " + qualified(options, table) + " ";
  }

  private static String qualified(SchemaOptions options, String name) {
    return Identifiers.quote("schema", options.schema()) + "." + name;
  }
}
