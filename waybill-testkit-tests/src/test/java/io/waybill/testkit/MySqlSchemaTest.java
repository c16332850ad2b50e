package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.schema.MySqlChecks;
import io.waybill.observe.Finding;
import io.waybill.proof.server.MySqlDatabases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;

class MySqlSchemaTest extends SchemaContract {
  // A check of MySQL and of MariaDB, and a text that is too long.
  private static final Set<Integer> ILLEGAL = Set.of(3819, 4025, 1406);
  private static final Set<Integer> DENIED = Set.of(1142, 1143);
  private static final Set<Integer> THERE = Set.of(1050, 1060, 1061, 1068, 1826, 3822);

  @Override
  String createDatabase() {
    return MySqlDatabases.create();
  }

  @Override
  String currentSchema(Connection connection) throws SQLException {
    return connection.getCatalog();
  }

  /** One that is dropped in the end, whatever server it is on. */
  @Override
  String freeSchema() throws SQLException {
    try (Connection own = DriverManager.getConnection(MySqlDatabases.create())) {
      String name = own.getCatalog();
      execute("drop database " + name);
      return name;
    }
  }

  @Override
  List<Finding> findings(String role) throws SQLException {
    try (Connection own = as(role)) {
      return new MySqlChecks(SchemaOptions.ofDefaults().schema(own.getCatalog())).run(own);
    }
  }

  @Override
  void createRole(String role) throws SQLException {
    execute("drop user if exists " + role);
    execute("create user " + role);
  }

  @Override
  Connection as(String role) throws SQLException {
    String own = url.replaceAll("&password=[^&]*", "").replaceFirst("user=[^&]*", "user=" + role);
    return DriverManager.getConnection(role.equals(owner()) ? url : own);
  }

  @Override
  Stream<Arguments> harms() {
    return Stream.of(
            "alter table waybill_outbox drop key waybill_outbox_published_idx"
                + " | index waybill_outbox_published_idx",
            "alter table waybill_outbox drop key waybill_outbox_available_at_idx"
                + " | index waybill_outbox_available_at_idx",
            "alter table waybill_row_state drop key waybill_row_state_state_idx"
                + " | index waybill_row_state_state_idx",
            "alter table waybill_held drop key waybill_held_key_idx | index waybill_held_key_idx",
            "alter table waybill_lane drop foreign key waybill_lane_fence_fkey"
                + " | constraint waybill_lane.waybill_lane_fence_fkey",
            "drop table waybill_destination | table waybill_destination",
            "drop view waybill_outbox_status | table waybill_outbox_status",
            "alter table waybill_outbox drop column lane | column waybill_outbox.lane",
            "alter table waybill_audit drop column note | column waybill_audit.note",
            "alter table waybill_session drop column joined_at | column waybill_session.joined_at",
            "alter table waybill_row_state drop constraint waybill_row_state_retry_check"
                + " | constraint waybill_row_state.waybill_row_state_retry_check",
            "alter table waybill_outbox drop constraint waybill_outbox_event_id_check"
                + " | constraint waybill_outbox.waybill_outbox_event_id_check",
            "alter table waybill_outbox drop key waybill_outbox_event_id_key"
                + " | constraint waybill_outbox.waybill_outbox_event_id_key")
        .map(SchemaContract::harm);
  }

  @Override
  String ownColumn() {
    return "published";
  }

  @Override
  boolean isIllegal(SQLException e) {
    return ILLEGAL.contains(e.getErrorCode());
  }

  @Override
  boolean isDuplicate(SQLException e) {
    return e.getErrorCode() == 1062;
  }

  @Override
  boolean isDenied(SQLException e) {
    return DENIED.contains(e.getErrorCode());
  }

  @Override
  boolean isThere(SQLException e) {
    return THERE.contains(e.getErrorCode());
  }

  @Override
  String owner() {
    return "root";
  }

  @ParameterizedTest
  @CsvSource({
    "o.*, o.published = false, waybill_outbox_published_idx",
    // Nearly all rows are such: MySQL takes the rows themselves.
    "o.id, o.published = true and o.lane = 3, waybill_outbox_published_idx|PRIMARY",
    "o.*, o.lane < 30, PRIMARY",
  })
  void rowsAreReadInOrderAlongAnIndexWithoutSorting(String columns, String condition, String index)
      throws SQLException {
    schema.apply(connection);
    execute(
        """
        insert into waybill_outbox (event_id, event_type, published)
        with recursive n (i) as (select 0 union all select i + 1 from n where i < 59)
        select concat('e', a.i * 60 + b.i), 't', a.i < 59 from n a cross join n b""");
    execute("analyze table waybill_outbox");
    String query =
        "explain format = traditional select %s from waybill_outbox o where %s and o.id > 100 order by o.id limit 100"
            .formatted(columns, condition);
    try (Statement statement = connection.createStatement();
        ResultSet plan = statement.executeQuery(query)) {
      assertThat(plan.next()).isTrue();
      assertThat(plan.getString("key")).matches(index);
      assertThat(plan.getString("Extra")).doesNotContain("filesort");
      assertThat(plan.next()).isFalse();
    }
  }
}
