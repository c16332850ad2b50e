package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.DatabaseKind;
import io.waybill.jdbc.TableSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tables that the jar has are those of the documents, column by column. */
abstract class DocumentedTableContract {
  // Column, type on MySQL, type on PostgreSQL, null, default: as in the reference of event_outbox.
  private static final String EVENT_OUTBOX =
      """
      created_at | DATETIME(6) | TIMESTAMPTZ(6) | NO | CURRENT_TIMESTAMP(6)
      id | BIGINT | BIGINT | NO |
      attempts | INT | INTEGER | NO | 0
      status | ENUM('pending','sent','failed') | TEXT | NO | pending
      entity_table | VARCHAR(64) | VARCHAR(64) | NO |
      next_attempt_at | DATETIME(6) | TIMESTAMPTZ(6) | YES |
      event_key | CHAR(36) | CHAR(36) | NO |
      processed_at | DATETIME(6) | TIMESTAMPTZ(6) | YES |
      payload | JSON | JSONB | NO |
      event_type | VARCHAR(100) | VARCHAR(100) | NO |
      producer_node | VARCHAR(100) | VARCHAR(100) | YES |
      entity_pk | VARCHAR(64) | VARCHAR(64) | NO |
      """;
  // The other document names families of types; lengths and defaults are ours.
  private static final String NOTIFICATION =
      """
      event_id | VARCHAR(255) | VARCHAR(255) | NO |
      event_type | VARCHAR(255) | VARCHAR(255) | NO |
      aggregate_type | VARCHAR(255) | VARCHAR(255) | NO |
      aggregate_id | BIGINT | BIGINT | NO |
      status | VARCHAR(20) | VARCHAR(20) | NO | PENDING
      payload | JSON | JSON | NO |
      created_at | TIMESTAMP(6) | TIMESTAMP(6) | NO | *
      published_at | TIMESTAMP(6) | TIMESTAMP(6) | YES |
      """;
  private static final String PROCESSED_EVENT =
      """
      event_id | VARCHAR(255) | VARCHAR(255) | NO |
      status | VARCHAR(20) | VARCHAR(20) | NO |
      created_at | TIMESTAMP(6) | TIMESTAMP(6) | NO | *
      updated_at | TIMESTAMP(6) | TIMESTAMP(6) | NO | *
      """;

  private static final Map<String, String> POSTGRES_NAMES =
      Map.of(
          "character varying", "varchar",
          "character", "char",
          "timestamp(6) with time zone", "timestamptz(6)",
          "timestamp(6) without time zone", "timestamp(6)");

  // Of times without a zone the documents do not say where they come from.
  private static final Set<String> NAIVE = Set.of("created_at", "updated_at");

  abstract TestDatabase database();

  private boolean mySql() {
    return database().kind() != DatabaseKind.POSTGRESQL;
  }

  private Connection create(String layout) throws SQLException {
    Connection connection = database().createSchema("documented");
    TableSchema.run(connection, TableSchema.documentedTable(layout, database().kind()));
    return connection;
  }

  @Test
  void eventOutboxHasTheDocumentedColumns() throws SQLException {
    try (Connection connection = create("event-outbox")) {
      assertThat(columns(connection, "event_outbox", Set.of()))
          .containsExactlyInAnyOrderElementsOf(expected(EVENT_OUTBOX));
      assertThat(primaryKey(connection, "event_outbox")).containsExactly("id");
    }
  }

  @Test
  void eventOutboxHasTheDocumentedKeysAndIndexes() throws SQLException {
    try (Connection connection = create("event-outbox")) {
      List<String> expected =
          new ArrayList<>(
              List.of(
                  "idx_event_outbox_created_at created_at",
                  "idx_event_outbox_entity_time entity_table, entity_pk, created_at",
                  "idx_event_outbox_status_sched status, next_attempt_at",
                  "unique uq_event_outbox_key event_key"));
      if (!mySql()) {
        expected.add("gin_event_outbox_payload payload jsonb_path_ops");
      }
      assertThat(indexes(connection, "event_outbox")).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void eventOutboxTakesItsThreeStatesOnly() throws SQLException {
    try (Connection connection = create("event-outbox");
        Statement statement = connection.createStatement()) {
      int id = 0;
      for (String state : List.of("pending", "sent", "failed")) {
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
  void notificationsHaveTheDocumentedColumnsKeyAndIndex() throws SQLException {
    try (Connection connection = create("notification")) {
      assertThat(columns(connection, "event_outbox", NAIVE))
          .containsExactlyInAnyOrderElementsOf(expected(NOTIFICATION));
      assertThat(primaryKey(connection, "event_outbox")).containsExactly("event_id");
      assertThat(indexes(connection, "event_outbox"))
          .containsExactly("idx_event_outbox_status_created_at status, created_at");
    }
  }

  @Test
  void processedEventHasTheDocumentedColumnsKeyAndStates() throws SQLException {
    try (Connection connection = create("notification");
        Statement statement = connection.createStatement()) {
      assertThat(columns(connection, "processed_event", NAIVE))
          .containsExactlyInAnyOrderElementsOf(expected(PROCESSED_EVENT));
      assertThat(primaryKey(connection, "processed_event")).containsExactly("event_id");
      for (String state : List.of("PROCESSING", "SUCCESS", "FAILED")) {
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

  private List<String> expected(String table) {
    return table
        .lines()
        .map(line -> line.split(" [|] ?", -1))
        .map(
            cells ->
                String.join(
                    " | ",
                    cells[0],
                    cells[mySql() ? 1 : 2].toLowerCase(Locale.ROOT),
                    cells[3],
                    cells[4].toLowerCase(Locale.ROOT)))
        .map(line -> line.replace("| *", "| given"))
        .toList();
  }

  private List<String> columns(Connection connection, String table, Set<String> naive)
      throws SQLException {
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
    List<String> columns = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(query.replace("${table}", table).replace("${json}", json))) {
      while (result.next()) {
        columns.add(
            String.join(
                " | ",
                result.getString(1),
                type(result.getString(2), result.getBoolean(5)),
                result.getString(3),
                given(String.valueOf(result.getString(4)), naive, result.getString(1))));
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

  private static String given(String value, Set<String> naive, String column) {
    if (value.equals("null") || value.equals("NULL")) {
      return "";
    }
    String plain = value.replaceAll("::[a-z ]+$", "").replace("'", "").toLowerCase(Locale.ROOT);
    return naive.contains(column) ? "given" : plain;
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
