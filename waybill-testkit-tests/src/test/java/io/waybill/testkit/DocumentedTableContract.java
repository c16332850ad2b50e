package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.DatabaseKind;
import io.waybill.jdbc.TableSchema;
import io.waybill.proof.system.DocumentedColumn;
import io.waybill.proof.system.DocumentedSystem;
import io.waybill.proof.system.DocumentedSystem.Fact;
import io.waybill.proof.system.DocumentedSystem.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables that the jar has are those of the documents, column by column, when they are made. */
abstract class DocumentedTableContract {
  private static final Map<String, String> POSTGRES_NAMES =
      Map.of(
          "character varying", "varchar",
          "character", "char",
          "timestamp(6) with time zone", "timestamptz(6)",
          "timestamp(6) without time zone", "timestamp(6)");

  private static final String PROCESSED = "processed_events";

  /** What a catalogue says of a column. */
  private record Column(String type, boolean nullable, @Nullable String byDefault) {}

  abstract TestDatabase database();

  private boolean mySql() {
    return database().kind() != DatabaseKind.POSTGRESQL;
  }

  private Connection create(String layout) throws SQLException {
    Connection connection = database().createSchema("documented");
    TableSchema.run(connection, TableSchema.documentedTable(layout, database().kind()));
    return connection;
  }

  static List<DocumentedSystem> systems() {
    return DocumentedSystem.all();
  }

  /** Those of the outbox; an inbox has its table from elsewhere. */
  private static List<String> tables(DocumentedSystem system) {
    return system.names(Kind.TABLE).stream().filter(table -> !table.equals(PROCESSED)).toList();
  }

  @ParameterizedTest
  @MethodSource("systems")
  void tablesHaveTheDocumentedColumns(DocumentedSystem system) throws SQLException {
    try (Connection connection = create(system.layout())) {
      for (String table : tables(system)) {
        List<DocumentedColumn> documented = system.columns(table);
        Map<String, Column> columns = columns(connection, table);
        assertThat(columns.keySet())
            .containsExactlyInAnyOrderElementsOf(
                documented.stream().map(DocumentedColumn::name).toList());
        for (DocumentedColumn each : documented) {
          fits(each, Objects.requireNonNull(columns.get(each.name())), system.exact());
        }
      }
    }
  }

  private void fits(DocumentedColumn documented, Column column, boolean exact) {
    assertThat(column.type()).as(documented.name()).matches(documented.type(database().kind()));
    assertThat(column.nullable()).as(documented.name()).isEqualTo(documented.nullable());
    if (exact || documented.byDefault() != null) {
      assertThat(column.byDefault()).as(documented.name()).isEqualTo(documented.byDefault());
    }
  }

  @ParameterizedTest
  @MethodSource("systems")
  void tablesHaveTheDocumentedKeysAndIndexes(DocumentedSystem system) throws SQLException {
    try (Connection connection = create(system.layout())) {
      for (String table : tables(system)) {
        assertThat(system.facts(Kind.PRIMARY_KEY))
            .extracting(Fact::says)
            .contains(table + " (" + String.join(", ", primaryKey(connection, table)) + ")");
        List<String> indexes = indexes(connection, table);
        List<Fact> documented =
            Stream.of(Kind.UNIQUE_KEY, Kind.INDEX, Kind.POSTGRES_INDEX)
                .filter(kind -> kind != Kind.POSTGRES_INDEX || !mySql())
                .flatMap(kind -> system.facts(kind).stream())
                .filter(fact -> fact.says().startsWith(table + " "))
                .toList();
        for (Fact index : documented) {
          boolean unique = index.kind().equals("unique key");
          // Where the document has no name but words, any will do.
          String name = index.name().matches("\\w+") ? index.name() : "\\w+";
          String columns = index.says().replaceAll(".*[(](.*)[)]", "$1");
          assertThat(indexes)
              .as(index.place())
              .anyMatch(
                  each ->
                      each.matches(
                          (unique ? "unique " : "") + name + " " + Pattern.quote(columns)));
        }
        if (system.exact()) {
          assertThat(indexes).hasSameSizeAs(documented);
        }
      }
    }
  }

  @Test
  void eventOutboxTakesItsThreeStatesOnly() throws SQLException {
    try (Connection connection = create("event-outbox");
        Statement statement = connection.createStatement()) {
      int id = 0;
      for (String state : DocumentedSystem.of("event-outbox").words("event_outbox.status")) {
        statement.execute(event(++id, state));
      }
      assertThatThrownBy(() -> statement.execute(event(9, "done")))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> statement.execute(event(9, ""))).isInstanceOf(SQLException.class);
    }
  }

  private static String event(int id, String state) {
    return """
    insert into event_outbox (id, event_key, entity_table, entity_pk, event_type, payload, status)
    values (%1$d, 'key-%1$d', 'orders', '1', 'order.placed', '{}', '%2$s')"""
        .formatted(id, state);
  }

  @Test
  void processedEventTakesItsThreeStatesOnly() throws SQLException {
    try (Connection connection = create("notification");
        Statement statement = connection.createStatement()) {
      for (String state : DocumentedSystem.of("notification").words("processed_event.status")) {
        statement.execute(
            "insert into processed_event (event_id, status) values ('%1$s', '%1$s')"
                .formatted(state));
      }
      assertThatThrownBy(
              () ->
                  statement.execute(
                      "insert into processed_event (event_id, status) values ('x', 'PENDING')"))
          .isInstanceOf(SQLException.class);
    }
  }

  private Map<String, Column> columns(Connection connection, String table) throws SQLException {
    String query =
        mySql()
            ? """
            select c.column_name, c.column_type, c.is_nullable, c.column_default,
              ${json}
            from information_schema.columns c
            where c.table_schema = database() and c.table_name = '${table}'"""
            : """
            select a.attname, format_type(a.atttypid, a.atttypmod),
              case when a.attnotnull then 'NO' else 'YES' end,
              pg_get_expr(d.adbin, d.adrelid), false
            from pg_attribute a
            left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
            where a.attrelid = 'documented.${table}'::regclass and a.attnum > 0""";
    // MariaDB has no type of its own for JSON, but a text with a constraint.
    String json =
        DatabaseKind.of(connection) == DatabaseKind.MARIADB
            ? """
            exists (select 1 from information_schema.check_constraints k
              where k.constraint_schema = database() and k.table_name = c.table_name
                and k.check_clause like concat('json_valid(%', c.column_name, '%'))"""
            : "false";
    Map<String, Column> columns = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(query.replace("${table}", table).replace("${json}", json))) {
      while (result.next()) {
        columns.put(
            result.getString(1),
            new Column(
                type(result.getString(2), result.getBoolean(5)),
                result.getString(3).equals("YES"),
                given(result.getString(4))));
      }
    }
    return columns;
  }

  /** MariaDB's JSON is a text with a check, and its integers may have a width. */
  private static String type(String type, boolean json) {
    if (json) {
      return "json";
    }
    String name = type.replaceAll("^(bigint|int)\\(\\d+\\)$", "$1");
    for (Map.Entry<String, String> other : POSTGRES_NAMES.entrySet()) {
      if (name.equals(other.getKey()) || name.startsWith(other.getKey() + "(")) {
        return other.getValue() + name.substring(other.getKey().length());
      }
    }
    return name;
  }

  private static @Nullable String given(@Nullable String value) {
    return value == null || value.equals("NULL") ? null : DocumentedColumn.plain(value);
  }

  private List<String> primaryKey(Connection connection, String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    String schema = mySql() ? null : "documented";
    String catalogue = mySql() ? "documented" : null;
    try (ResultSet result = connection.getMetaData().getPrimaryKeys(catalogue, schema, table)) {
      while (result.next()) {
        columns.add(result.getString("COLUMN_NAME"));
      }
    }
    return columns;
  }

  /** All but that of the primary key. */
  private List<String> indexes(Connection connection, String table) throws SQLException {
    String query =
        mySql()
            ? """
            select concat(case when max(non_unique) = 0 then 'unique ' else '' end, index_name, ' ',
              group_concat(column_name order by seq_in_index separator ', '))
            from information_schema.statistics
            where table_schema = database() and table_name = '%s' and index_name <> 'PRIMARY'
            group by index_name"""
            : """
            select concat(case when i.indisunique then 'unique ' end, c.relname, ' ',
              substring(pg_get_indexdef(i.indexrelid) from '[(](.*)[)]'))
            from pg_index i join pg_class c on c.oid = i.indexrelid
            where i.indrelid = 'documented.%s'::regclass and not i.indisprimary""";
    List<String> indexes = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query.formatted(table))) {
      while (result.next()) {
        indexes.add(result.getString(1));
      }
    }
    return indexes;
  }
}
