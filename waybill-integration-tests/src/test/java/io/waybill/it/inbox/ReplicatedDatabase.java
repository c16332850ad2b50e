package io.waybill.it.inbox;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** A database of effects with a replica. Connections lead to one of the two. */
abstract class ReplicatedDatabase implements AutoCloseable {
  final DatabaseServer first;
  final DatabaseServer second;
  private volatile String url = "";

  ReplicatedDatabase(DatabaseServer first, DatabaseServer second) {
    this.first = first;
    this.second = second;
  }

  /** The replica has nothing of what is committed from now on. */
  abstract void cutOff() throws Exception;

  /** Waits until the replica has what is committed. */
  abstract void awaitReplica() throws Exception;

  /** The replica takes writes from now on, and connections lead there. */
  abstract void promote() throws Exception;

  /** The replica takes over with all that was committed. */
  abstract void handOver() throws Exception;

  void kill() {
    first.kill();
  }

  final void leadTo(String to) {
    url = to;
  }

  final void createTables(String admin) throws SQLException {
    url = admin;
    try (Connection connection = connect()) {
      boolean postgres = first.kind() == DatabaseKind.POSTGRESQL;
      String schema = postgres ? connection.getSchema() : connection.getCatalog();
      InboxSchema.of(first.kind(), schema, InboxTables.own()).apply(connection);
      execute(
          url,
          "create table applied (place %s primary key, event_key varchar(9), n int not null)"
              .formatted(postgres ? "bigserial" : "bigint auto_increment"));
    }
  }

  final Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  final JdbcInboxStore store() {
    JdbcInboxStore store =
        JdbcInboxStore.of(this::connect, first.kind(), "effects", InboxOptions.ofDefaults());
    return store;
  }

  final void apply(ReceivedEvent event, Connection connection) throws SQLException {
    String[] id = event.id().split("-", 2);
    try (PreparedStatement insert =
        connection.prepareStatement("insert into applied (event_key, n) values (?, ?)")) {
      insert.setString(1, id[0]);
      insert.setInt(2, Integer.parseInt(id[1]));
      insert.executeUpdate();
    }
  }

  final int effects() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from applied")) {
      row.next();
      return row.getInt(1);
    }
  }

  /** What has an effect, as key and number. */
  final Set<String> applied() throws SQLException {
    Set<String> applied = new HashSet<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select event_key, n from applied")) {
      while (rows.next()) {
        applied.add(rows.getString(1) + "-" + rows.getInt(2));
      }
    }
    return applied;
  }

  final void awaitEffects(int number) {
    await(() -> effects() >= number);
  }

  /** Waits until all have an effect, or nothing happens any more. */
  final EffectLoad.Verdict judge(int published) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    int seen = -1;
    while (effects() < published && System.nanoTime() < deadline) {
      int now = effects();
      if (now > seen) {
        seen = now;
        deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      }
      java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
    }
    Map<String, Integer> last = new HashMap<>();
    Map<String, Integer> count = new HashMap<>();
    int disorders = 0;
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select event_key, n from applied order by place")) {
      while (rows.next()) {
        String key = rows.getString(1);
        int n = rows.getInt(2);
        if (n < last.getOrDefault(key, -1)) {
          disorders++;
        }
        last.put(key, n);
        count.merge(key + "-" + n, 1, Integer::sum);
      }
    }
    int twice = count.values().stream().mapToInt(times -> times - 1).sum();
    return new EffectLoad.Verdict(published - count.size(), twice, disorders);
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(90)))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(condition);
  }

  static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  static boolean is(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select " + query)) {
      return row.next() && row.getBoolean(1);
    }
  }

  @Override
  public void close() {
    second.close();
    first.close();
  }

  static ReplicatedDatabase postgres() throws Exception {
    PostgresServer primary = PostgresServer.launch();
    return new Postgres(primary, primary.standby());
  }

  static ReplicatedDatabase mariaDb() throws Exception {
    return new MariaDb(
        MariaDbServer.launch(Map.of("log-bin", "binlog", "sync-binlog", "1")),
        MariaDbServer.launch(Map.of("server-id", "2", "log-bin", "binlog")));
  }

  /** The standby is synchronous until it is cut off. */
  private static final class Postgres extends ReplicatedDatabase {
    private final PostgresServer standby;

    Postgres(PostgresServer primary, PostgresServer standby) throws SQLException {
      super(primary, standby);
      this.standby = standby;
      createTables(primary.jdbcUrl());
    }

    @Override
    void cutOff() throws SQLException {
      execute(
          first.jdbcUrl(),
          "alter system set synchronous_standby_names = ''",
          "select pg_reload_conf()");
      execute(
          second.jdbcUrl(), "alter system set primary_conninfo = ''", "select pg_reload_conf()");
      await(() -> !is(first.jdbcUrl(), "exists (select from pg_stat_replication)"));
    }

    /** Each commit has waited for it. */
    @Override
    void awaitReplica() {}

    @Override
    void promote() {
      standby.promote();
      leadTo(second.jdbcUrl());
    }

    @Override
    void handOver() {
      first.stop();
      promote();
    }
  }

  /** Applications have a user that may not write to a server that is read-only. */
  private static final class MariaDb extends ReplicatedDatabase {
    private static final String DATABASE = "shop";

    MariaDb(MariaDbServer source, MariaDbServer replica) throws SQLException {
      super(source, replica);
      execute(
          replica.jdbcUrl(),
          """
          change master to master_host = '127.0.0.1', master_port = %d, master_user = 'root',
            master_ssl = 0"""
              .formatted(source.port()),
          "start slave",
          "set global read_only = 1");
      createTables(source.createDatabase(DATABASE));
      execute(source.jdbcUrl(), "create user app", "grant all on %s.* to app".formatted(DATABASE));
      leadTo(asApplication(source));
      await(() -> is(replica.jdbcUrl(), "count(*) > 0 from mysql.user where user = 'app'"));
    }

    private static String asApplication(DatabaseServer server) {
      return server.jdbcUrl(DATABASE).replace("user=root", "user=app");
    }

    @Override
    void cutOff() throws SQLException {
      execute(second.jdbcUrl(), "stop slave io_thread");
    }

    @Override
    void promote() throws SQLException {
      execute(second.jdbcUrl(), "stop slave", "reset slave all", "set global read_only = 0");
      leadTo(asApplication(second));
    }

    @Override
    void handOver() throws SQLException {
      execute(first.jdbcUrl(), "set global read_only = 1");
      awaitReplica();
      promote();
    }

    @Override
    void awaitReplica() throws SQLException {
      String committed = text(first.jdbcUrl(), "select @@gtid_binlog_pos");
      await(() -> is(second.jdbcUrl(), "master_gtid_wait('%s', 1) = 0".formatted(committed)));
    }

    private static String text(String url, String query) throws SQLException {
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(query)) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
