package io.waybill.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

class PostgresTableChecksTest extends TableChecksContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }

  @Override
  String naive() {
    return "timestamp(6)";
  }

  @Override
  String ignoringCase(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create collation ignoring_case
            (provider = icu, locale = 'und-u-ks-level2', deterministic = false)""");
    }
    return " collate ignoring_case";
  }

  @Override
  String countedTable() {
    return """
    create table counted (id serial primary key, event_type varchar(100) not null,
      payload text not null, account varchar(100), created_at timestamptz(6) not null,
      status varchar(20) not null)""";
  }

  @Override
  String useUpNumbers() {
    return "select setval('counted_id_seq', 2000000000)";
  }

  @Override
  List<String> trigger() {
    return List.of(
        "create trigger meddling before delete on shop_outbox for each row"
            + " execute function suppress_redundant_updates_trigger()");
  }
}
