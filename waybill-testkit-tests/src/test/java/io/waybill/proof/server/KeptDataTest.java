package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers on data that outlive them. */
@Tag("server")
@Tag("long")
class KeptDataTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void theNextServerFindsWhatTheLastOneWrote(DatabaseKind kind) throws Exception {
    Path data = folder.resolve("data");
    try (DatabaseServer server = DatabaseServer.launch(kind)) {
      server.createDatabase("kept");
      server.stop();
      Files.move(server.data(), data);
    }
    try (DatabaseServer server = on(data, kind)) {
      run(server, "create table first (n integer)");
    }
    try (DatabaseServer server = on(data, kind)) {
      run(server, "insert into first values (1)");
    }

    assertThat(data.resolve("postmaster.pid")).as("ended in order").doesNotExist();
    assertThat(data).isNotEmptyDirectory();
  }

  private static DatabaseServer on(Path data, DatabaseKind kind) {
    return kind == DatabaseKind.MARIADB
        ? MariaDbServer.launchOn(data, Map.of())
        : PostgresServer.launchOn(data, Map.of());
  }

  private static void run(DatabaseServer server, String sql) throws Exception {
    try (Connection connection = server.dataSource("kept").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
