package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.examples.polyshop.Tools.Ended;
import io.waybill.jdbc.InboxSchema;
import io.waybill.proof.server.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tests of the inboxes for Node.js and Python, in their own languages. */
@Tag("server")
@Tag("long")
class ClientsTest {
  private static PostgresServer postgres;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
  }

  @AfterAll
  static void close() {
    postgres.close();
  }

  /** A database with the tables that {@code schema print --inbox} shows. */
  private static Map<String, String> environment(String database) throws Exception {
    postgres.createDatabase(database);
    try (Connection connection = postgres.dataSource(database).getConnection()) {
      InboxSchema.of(DatabaseKind.POSTGRESQL, "public", InboxTables.own()).apply(connection);
    }
    Map<String, String> environment = new HashMap<>(Tools.pythonEnvironment());
    environment.put(
        "DATABASE_URL", "postgresql://postgres@127.0.0.1:" + postgres.port() + "/" + database);
    return environment;
  }

  @Test
  void theInboxForNodeKeepsItsContract() throws Exception {
    Languages.assumeNode();
    Path folder = Tools.client("node");
    Tools.installLibraries(folder);
    Ended tests = Tools.run(folder, environment("node"), List.of(Tools.npm(), "test"));

    assertThat(tests.code()).as(tests.output()).isZero();
    assertThat(tests.output()).contains("pass 42", "fail 0", "skipped 0");
  }

  @Test
  void theInboxForPythonKeepsItsContractWithEachDriver() throws Exception {
    Languages.assumePython();
    Ended tests =
        Tools.run(
            Tools.client("python"),
            environment("python"),
            List.of(Tools.python(), "-m", "unittest", "discover", "-s", "tests"));

    assertThat(tests.code()).as(tests.output()).isZero();
    assertThat(tests.output()).contains("Ran 55 tests").endsWith("OK\n");
  }
}
