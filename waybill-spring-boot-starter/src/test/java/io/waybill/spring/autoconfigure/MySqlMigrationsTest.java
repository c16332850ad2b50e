package io.waybill.spring.autoconfigure;

import io.waybill.proof.server.MySqlServer;
import io.waybill.proof.server.UnpackedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shipped migrations on MySQL 9, with its own driver, as applications there have it. */
@Tag("server")
@Tag("long")
class MySqlMigrationsTest {
  private static MySqlServer server;

  @BeforeAll
  static void launch() {
    UnpackedServer.MYSQL.assumeThere();
    server = MySqlServer.launch();
  }

  @AfterAll
  static void close() {
    if (server != null) {
      server.close();
    }
  }

  private static String create(String database) {
    server.createDatabase(database);
    return "jdbc:mysql://127.0.0.1:%d/%s?user=root&sslMode=DISABLED"
        .formatted(server.port(), database);
  }

  @Test
  void throughFlyway() {
    MariaDbMigrationsTest.assertWorks(
        create("through_flyway"),
        "spring.liquibase.enabled=false",
        "spring.flyway.locations=classpath:io/waybill/flyway/{vendor},"
            + "classpath:io/waybill/flyway-inbox/{vendor}");
  }

  @Test
  void throughLiquibase() {
    MariaDbMigrationsTest.assertWorks(
        create("through_liquibase"),
        "spring.flyway.enabled=false",
        "spring.liquibase.change-log=classpath:both.xml");
  }
}
