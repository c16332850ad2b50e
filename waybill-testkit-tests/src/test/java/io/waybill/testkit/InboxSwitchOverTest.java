package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.MySqlServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.store.InboxStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The inbox's database is switched over while handlers are in its transactions: no dead letter, the
 * order of each key, each effect once.
 */
@Tag("server")
@Tag("long")
class InboxSwitchOverTest {
  private static final int KEYS = 12;
  private static final int EVENTS_OF_KEY = 50;
  private static final int WORKERS = 8;

  private final HandBroker broker = new HandBroker();
  private final AtomicInteger inHandlers = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final CountDownLatch switched = new CountDownLatch(1);
  private final List<AutoCloseable> open = new ArrayList<>();
  private volatile String url = "";

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  /** Work that changes servers. */
  private interface Change {
    void make() throws Exception;
  }

  private <T extends AutoCloseable> T opened(T thing) {
    open.add(thing);
    return thing;
  }

  @Test
  void aMariaDbThatIsMadeReadOnlyMakesNoDeadLetters() throws Exception {
    readOnly(opened(MariaDbServer.launch()));
  }

  @Test
  void aMySqlThatIsMadeReadOnlyMakesNoDeadLetters() throws Exception {
    UnpackedServer.MYSQL.assumeThere();
    readOnly(opened(MySqlServer.launch()));
  }

  /** The first step of each planned switch-over; the users of applications may not write then. */
  private void readOnly(DatabaseServer server) throws Exception {
    prepare(server.kind(), server.createDatabase("shop"));
    execute(server.jdbcUrl(), "create user app");
    execute(server.jdbcUrl(), "grant all on shop.* to app");
    url = server.jdbcUrl("shop").replace("user=root", "user=app");
    switchOver(
        server.kind(),
        () -> execute(server.jdbcUrl(), "set global read_only = 1"),
        () -> execute(server.jdbcUrl(), "set global read_only = 0"));
    assertThat(failed).as("handlers that heard of it").hasPositiveValue();
  }

  @Test
  void aStandbyOfPostgresThatIsPromotedMakesNoDeadLetters() throws Exception {
    PostgresServer primary = opened(PostgresServer.launch());
    PostgresServer standby = opened(primary.standby());
    prepare(DatabaseKind.POSTGRESQL, primary.jdbcUrl());
    url = primary.jdbcUrl();
    switchOver(
        DatabaseKind.POSTGRESQL,
        primary::stop,
        () -> {
          standby.promote();
          url = standby.jdbcUrl();
        });
    assertThat(failed).as("handlers that heard of it").hasPositiveValue();
  }

  @Test
  void aPostgresThatIsMadeReadOnlyMakesNoDeadLetters() throws Exception {
    PostgresServer server = opened(PostgresServer.launch());
    prepare(DatabaseKind.POSTGRESQL, server.jdbcUrl());
    url = server.jdbcUrl();
    switchOver(
        DatabaseKind.POSTGRESQL, () -> readOnly(server, "on"), () -> readOnly(server, "off"));
  }

  private static void readOnly(PostgresServer server, String how) throws SQLException {
    // Each in a transaction of its own, that may write.
    execute(
        server.jdbcUrl() + "&options=-c%20default_transaction_read_only=off",
        "alter system set default_transaction_read_only = " + how);
    execute(server.jdbcUrl(), "select pg_reload_conf()");
  }

  private void prepare(DatabaseKind kind, String admin) throws SQLException {
    try (Connection connection = DriverManager.getConnection(admin)) {
      String schema =
          kind == DatabaseKind.POSTGRESQL ? connection.getSchema() : connection.getCatalog();
      InboxSchema.of(kind, String.valueOf(schema), InboxTables.own()).apply(connection);
    }
    String place = kind == DatabaseKind.POSTGRESQL ? "bigserial" : "bigint auto_increment";
    execute(
        admin,
        "create table applied (place "
            + place
            + " primary key, event_key char(1), n int not null)");
  }

  private void switchOver(DatabaseKind kind, Change away, Change back) throws Exception {
    InboxStore store =
        opened(
            JdbcInboxStore.of(
                () -> DriverManager.getConnection(url), kind, "a", InboxOptions.ofDefaults()));
    store.open();
    Inbox inbox =
        Inbox.builder()
            .store(store)
            .subscriber(broker)
            .deadLetters(broker, Transport.KAFKA)
            .settings(defaults -> defaults.workers(WORKERS))
            .handler(HandBroker.TYPE, this::handle)
            .start();
    opened(() -> inbox.stop(Duration.ZERO));
    broker.deliver(ids());
    await(() -> inHandlers.get() >= WORKERS);

    away.make();
    switched.countDown();
    await(() -> inbox.problem().isPresent());
    int duringIt = broker.acknowledged.size();
    back.make();
    await(() -> broker.acknowledged.size() == KEYS * EVENTS_OF_KEY && inbox.problem().isEmpty());
    await(() -> numbers("select count(*) from waybill_inbox_deferred").equals(List.of(0)));

    assertThat(broker.letters).as("dead letters, %d were done before", duringIt).isEmpty();
    Map<Character, List<Integer>> once = new TreeMap<>();
    Map<Character, List<Integer>> applied = new TreeMap<>();
    for (int key = 0; key < KEYS; key++) {
      char name = (char) ('a' + key);
      once.put(name, IntStream.range(0, EVENTS_OF_KEY).boxed().toList());
      applied.put(
          name,
          numbers("select n from applied where event_key = '%s' order by place".formatted(name)));
    }
    assertThat(applied).as("numbers of each key in the order of effects").isEqualTo(once);
  }

  private static List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (int n = 0; n < EVENTS_OF_KEY; n++) {
      for (int key = 0; key < KEYS; key++) {
        ids.add((char) ('a' + key) + "-" + n);
      }
    }
    return ids;
  }

  /** The first ones are in it while the server changes. */
  private void handle(ReceivedEvent event, Connection connection) throws Exception {
    inHandlers.incrementAndGet();
    switched.await(30, TimeUnit.SECONDS);
    try (PreparedStatement insert =
        connection.prepareStatement("insert into applied (event_key, n) values (?, ?)")) {
      insert.setString(1, event.id().substring(0, 1));
      insert.setInt(2, Integer.parseInt(event.id().substring(2)));
      insert.executeUpdate();
    } catch (SQLException e) {
      failed.incrementAndGet();
      throw e;
    }
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(90)))
        .pollInterval(Duration.ofMillis(20))
        .until(condition);
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<Integer> numbers(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<Integer> numbers = new ArrayList<>();
      while (rows.next()) {
        numbers.add(rows.getInt(1));
      }
      return numbers;
    }
  }
}
