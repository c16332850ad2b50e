package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class PostgresServerTest extends DatabaseServerContract {
  PostgresServerTest() {
    super(DatabaseKind.POSTGRESQL);
  }

  @Test
  void commitsAreDurableUnlessASettingSaysOtherwise() throws SQLException {
    PostgresServer server =
        PostgresServer.launch(Map.of("wal_level", "minimal", "max_wal_senders", "0"));
    try (server) {
      assertThat(text(server.dataSource(), "show fsync")).isEqualTo("on");
      assertThat(text(server.dataSource(), "show synchronous_commit")).isEqualTo("on");
      assertThat(text(server.dataSource(), "show full_page_writes")).isEqualTo("on");
      assertThat(text(server.dataSource(), "show wal_level")).isEqualTo("minimal");
    }
    assertThat(Files.exists(server.log().getParent())).isFalse();
  }

  @Test
  void aStandbyHasWhatWasCommittedWhenItTakesOver() throws SQLException {
    try (PostgresServer server = PostgresServer.launch()) {
      run(server, "create table kept (n integer)");
      try (PostgresServer standby = server.standby()) {
        String timeline = "select timeline_id from pg_control_checkpoint()";
        String before = text(server.dataSource(), timeline);
        run(server, "insert into kept values (1)");
        server.kill();

        standby.promote();

        run(standby, "insert into kept values (2)");
        run(standby, "checkpoint");
        assertThat(text(standby.dataSource(), "select string_agg(n::text, ',') from kept"))
            .isEqualTo("1,2");
        assertThat(text(standby.dataSource(), timeline)).isNotEqualTo(before);
        assertThat(text(standby.dataSource(), "show synchronous_standby_names")).isEmpty();
      }
    }
  }

  private static void run(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
