package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.schema.MySqlChecks;
import io.waybill.jdbc.Schema;
import io.waybill.observe.Finding;
import io.waybill.proof.server.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Roles and databases whose names are addresses: clouds make them so. */
class ServerNamesTest {
  private static final String DATABASE = "my-shop.v2";
  private static final String WRITER = "shop-writer@project.iam";
  private static final String RELAY = "0relay.a-b@c";
  private static final String OPERATOR = "ops-team";
  private static final String READER = "reader@x";

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Connection connect(DatabaseServer server, String role) throws SQLException {
    return role.isEmpty()
        ? server.dataSource(DATABASE).getConnection()
        : DriverManager.getConnection(
            server.jdbcUrl(DATABASE).replaceFirst("user=[^&]*", "user=" + role));
  }

  private static List<Finding> check(DatabaseServer server, String role) throws SQLException {
    if (server.kind() == DatabaseKind.POSTGRESQL) {
      return PostgresRoles.check(server.jdbcUrl(DATABASE), "\"" + role + "\"");
    }
    try (Connection own = connect(server, role)) {
      return new MySqlChecks(SchemaOptions.ofDefaults().schema(DATABASE)).run(own);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void rolesAndDatabasesMayBeNamedLikeAddresses(DatabaseKind kind) throws SQLException {
    boolean postgres = kind == DatabaseKind.POSTGRESQL;
    String quote = postgres ? "\"" : "`";
    String schema = postgres ? "public" : DATABASE;
    try (DatabaseServer server = DatabaseServer.launch(kind)) {
      try (Connection first = server.dataSource().getConnection()) {
        execute(first, "create database " + quote + DATABASE + quote);
        for (String role : List.of(WRITER, RELAY, OPERATOR, READER)) {
          String kindOfRole = postgres ? " login" : "";
          String what = postgres ? "role " : "user ";
          execute(first, "create " + what + quote + role + quote + kindOfRole);
        }
      }
      try (Connection owner = connect(server, "")) {
        Schema tables = Schema.of(kind, SchemaOptions.ofDefaults().schema(schema));
        tables.apply(owner);
        assertThat(tables.check(owner)).isEmpty();
        String grants = tables.grants(WRITER, RELAY, OPERATOR, READER);
        for (String grant : Stream.of(grants.split(";\n")).filter(s -> !s.isBlank()).toList()) {
          execute(owner, grant);
        }
      }
      try (Connection writer = connect(server, WRITER)) {
        execute(writer, "insert into waybill_outbox (event_id, event_type) values ('a', 't')");
      }
      try (Connection relay = connect(server, RELAY)) {
        assertThat(check(server, RELAY)).isEmpty();
        execute(relay, "delete from waybill_outbox");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
  void whatCouldEndAQuoteIsRefused(DatabaseKind kind) {
    Schema tables = Schema.of(kind, SchemaOptions.ofDefaults());
    for (String bad : List.of("a\"b", "a`b", "a'b", "a b", "-a", "@", "", "a;b", "ä")) {
      assertThatThrownBy(() -> tables.grants(bad, "r", "r", "r"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("writer role", "'" + bad + "'");
    }
  }
}
