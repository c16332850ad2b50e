package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.DatabaseKind;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
