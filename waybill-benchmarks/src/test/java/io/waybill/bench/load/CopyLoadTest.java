package io.waybill.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class CopyLoadTest {
  private static final int KEYS = 7;
  private static final int EVENTS = 45_000;

  @Test
  void everyEventIsThereOnceAndThoseOfAKeyAreInOrder() throws SQLException {
    try (PostgresServer server = PostgresServer.launch()) {
      Tables tables = new Tables(server.createDatabase("loaded"));
      tables.createWaybill();
      tables.load(EVENTS, KEYS);
      Map<Integer, Long> next = new TreeMap<>();
      try (Connection connection = DriverManager.getConnection(tables.url());
          Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery(
                  "select aggregate_id, payload from waybill_outbox order by id")) {
        while (rows.next()) {
          long ref = Ref.find(rows.getBytes(2));
          int key = Ref.key(ref);
          assertThat(rows.getString(1)).isEqualTo(Integer.toString(key));
          assertThat(Ref.position(ref)).isEqualTo(next.getOrDefault(key, 0L));
          next.put(key, Ref.position(ref) + 1);
        }
      }
      assertThat(next).hasSize(KEYS);
      assertThat(next.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(EVENTS);
    }
  }
}
