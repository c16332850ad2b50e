package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.proof.server.MySqlServer;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions that rest on MySQL itself, which knows no limit of transactions that rest. */
@Tag("server")
@Tag("long")
class MySqlInboxRestTest {
  private static MySqlServer server;
  private static String url;

  @BeforeAll
  static void start() throws SQLException {
    UnpackedServer.MYSQL.assumeThere();
    server = MySqlServer.launch();
    url = server.createDatabase("shop");
    try (Connection connection = DriverManager.getConnection(url)) {
      InboxSchema.of(DatabaseKind.MYSQL, "shop", InboxTables.own()).apply(connection);
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static InboxStore open(Duration limit) {
    InboxStore store =
        JdbcInboxStore.of(
            ConnectionFactory.mariaDb(url, new Properties()),
            DatabaseKind.MYSQL,
            "a",
            InboxOptions.ofDefaults().statementLimit(limit));
    store.open();
    return store;
  }

  private static DedupeResult process(InboxStore store, String id) {
    try (InboxTransaction transaction = store.begin()) {
      DedupeResult dedupe =
          transaction.markSeen(List.of(new DedupeKey(id, "order.placed", "orders", null))).get(0);
      transaction.commit();
      return dedupe;
    }
  }

  @Test
  void aCopyTakesOverFromATransactionThatRests() {
    try (InboxStore frozen = open(Duration.ofSeconds(1));
        InboxStore other = open(Duration.ofSeconds(20));
        InboxTransaction first = frozen.begin()) {
      first.markSeen(List.of(new DedupeKey("e1", "order.placed", "orders", null)));

      assertThat(process(other, "e1")).isEqualTo(new DedupeResult.Fresh());
      // The server has said why, under a general state.
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(first::commit)
          .satisfies(gone -> assertThat(gone.isTransient()).isTrue());
    }
  }

  @Test
  void whatRestedBetweenTransactionsIsOpenedAnew() {
    try (InboxStore store = open(Duration.ofSeconds(2))) {
      assertThat(process(store, "e2")).isEqualTo(new DedupeResult.Fresh());
      Awaitility.await().atMost(Patience.of(Duration.ofSeconds(30))).until(() -> sessions() == 1);

      assertThat(process(store, "e3")).isEqualTo(new DedupeResult.Fresh());
    }
  }

  /** Together with the one that asks. */
  private static int sessions() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*) from information_schema.processlist where db = 'shop'")) {
      row.next();
      return row.getInt(1);
    }
  }
}
