package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.OutboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.NotificationReceiver;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.jdbc.Schema;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.proof.server.MySqlDatabases;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.Session;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Waybill sets on a connection does not go back into the application's pool. Each pool has one
 * connection, which the application gets before and after.
 */
@Tag("server")
@Tag("long")
class PooledConnectionsTest {
  private static final String SCHEMA = "public";
  private static final String POSTGRES = PostgresFixture.SERVER.createDatabase("pooled");
  private static final String MARIADB = MySqlDatabases.create();
  private static final Duration LEASE = Duration.ofSeconds(15);
  // The checks ask for more connections than there are, and wait for so long.
  private static final Duration WAIT = Duration.ofSeconds(2);

  /** A kind of pool, and what it leads to. */
  record Pool(String name, DatabaseKind kind) {
    boolean postgres() {
      return kind == DatabaseKind.POSTGRESQL;
    }

    private DataSource source() {
      String url = postgres() ? POSTGRES : MARIADB;
      return switch (name) {
        case "Hikari" -> hikari(url);
        case "Tomcat" -> tomcat(url);
        default -> dbcp(url);
      };
    }
  }

  static Stream<Pool> pools() {
    return Stream.of("Hikari", "Tomcat", "DBCP")
        .flatMap(
            name ->
                Stream.of(DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB)
                    .map(kind -> new Pool(name, kind)));
  }

  @ParameterizedTest
  @MethodSource("pools")
  void connectionsGoBackAsTheyCame(Pool pool) throws Exception {
    DataSource source = pool.source();
    try (AutoCloseable closing = closeable(source)) {
      OutboxTables outbox = outbox(pool, source, schema(pool, source));
      Map<String, String> before = settings(pool, source);
      Session session;
      try (LaneStore lanes = outbox.lanes()) {
        session = lanes.join("pooled", LEASE);
      }
      assertThat(settings(pool, source)).as("after the leases").isEqualTo(before);
      try (OutboxReader reader = outbox.reader()) {
        reader.assign(session, Set.of(0));
      }
      assertThat(settings(pool, source)).as("after the reader").isEqualTo(before);
      outbox.check();
      assertThat(settings(pool, source)).as("after the checks").isEqualTo(before);
      ConnectionFactory connections = ConnectionFactory.of(source);
      try (JdbcInboxStore inbox =
          JdbcInboxStore.of(connections, pool.kind(), "billing", InboxOptions.ofDefaults())) {
        inbox.open();
      }
      assertThat(settings(pool, source)).as("after the inbox").isEqualTo(before);
      assertThat(closing).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("pools")
  void aConnectionWhoseStatementFailedGoesBackAsItCame(Pool pool) throws Exception {
    DataSource source = pool.source();
    try (AutoCloseable closing = closeable(source)) {
      OutboxTables outbox = outbox(pool, source, "absent");
      Map<String, String> before = settings(pool, source);
      try (LaneStore lanes = outbox.lanes()) {
        assertThatThrownBy(() -> lanes.join("pooled", LEASE)).isInstanceOf(StoreException.class);
        assertThat(settings(pool, source)).isEqualTo(before);
      }
      assertThat(closing).isNotNull();
    }
  }

  @Test
  void aConnectionDoesNotListenOnInThePool() throws Exception {
    Pool pool = new Pool("Hikari", DatabaseKind.POSTGRESQL);
    try (HikariDataSource source = hikari(POSTGRES)) {
      PostgresOutbox outbox = (PostgresOutbox) outbox(pool, source, SCHEMA);
      try (NotificationReceiver receiver = outbox.receiver()) {
        assertThat(receiver.await(Duration.ofMillis(1))).isFalse();
      }
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement();
          ResultSet channels = statement.executeQuery("select pg_listening_channels()")) {
        assertThat(channels.next()).isFalse();
      }
    }
  }

  @Test
  void aConnectionThatIsInUseWhenItIsClosedIsReplaced() throws Exception {
    Pool pool = new Pool("Hikari", DatabaseKind.POSTGRESQL);
    try (HikariDataSource source = hikari(POSTGRES)) {
      PostgresOutbox outbox = (PostgresOutbox) outbox(pool, source, SCHEMA);
      Map<String, String> before = settings(pool, source);
      CompletableFuture<Boolean> waiting;
      try (NotificationReceiver receiver = outbox.receiver()) {
        waiting = CompletableFuture.supplyAsync(() -> receiver.await(Duration.ofMinutes(1)));
        Awaitility.await().until(() -> source.getHikariPoolMXBean().getActiveConnections() == 1);
        Awaitility.await().until(() -> listeners() == 1);
      }
      assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreException.class);
      Map<String, String> after = settings(pool, source);
      assertThat(after.remove("backend")).isNotEqualTo(before.remove("backend"));
      assertThat(after).isEqualTo(before);
    }
  }

  private static int listeners() throws SQLException {
    try (Connection connection = PostgresFixture.SERVER.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select count(*) from pg_stat_activity
                where application_name = 'waybill listener' and query = 'select 1'""")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void whatTheApplicationSetItselfIsKept() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(POSTGRES);
    config.setMaximumPoolSize(1);
    config.setConnectionInitSql(
        "set statement_timeout = '7s'; set work_mem = '5MB'; set app.tenant = 'nine'");
    Pool pool = new Pool("Hikari", DatabaseKind.POSTGRESQL);
    try (HikariDataSource source = new HikariDataSource(config)) {
      Map<String, String> before = settings(pool, source);
      assertThat(before).containsEntry("statement_timeout", "7000");
      try (LaneStore lanes = outbox(pool, source, schema(pool, source)).lanes()) {
        lanes.join("kept", LEASE);
      }
      assertThat(settings(pool, source)).isEqualTo(before);
    }
  }

  private static AutoCloseable closeable(DataSource source) {
    return source instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat
        ? tomcat::close
        : (AutoCloseable) source;
  }

  private static OutboxTables outbox(Pool pool, DataSource source, String schema) {
    ConnectionFactory connections = ConnectionFactory.of(source);
    return pool.postgres()
        ? PostgresOutbox.of(connections, PostgresOptions.ofDefaults().schema(schema))
        : TableOutbox.of(
            connections,
            Layouts.WAYBILL.table(new TableName(schema, "waybill_outbox")),
            pool.kind(),
            TableOptions.defaults(Layouts.WAYBILL.table(new TableName(schema, "waybill_outbox"))));
  }

  private static String schema(Pool pool, DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      String schema = pool.postgres() ? SCHEMA : connection.getCatalog();
      Schema.of(pool.kind(), SchemaOptions.ofDefaults().schema(schema)).apply(connection);
      InboxSchema.of(pool.kind(), schema, InboxOptions.ofDefaults().tables()).apply(connection);
      return schema;
    }
  }

  /** All that the session's connection has set, as the server says it. */
  private static Map<String, String> settings(Pool pool, DataSource source) throws SQLException {
    String query =
        pool.postgres()
            ? """
            select name, setting from pg_settings
            union all select 'backend', pg_backend_pid()::text"""
            : """
            select variable_name, session_value from information_schema.system_variables
            where session_value is not null and variable_name not in ('TIMESTAMP',
              'LAST_INSERT_ID', 'INSERT_ID', 'IDENTITY', 'RAND_SEED1', 'RAND_SEED2', 'WARNING_COUNT',
              'ERROR_COUNT', 'LAST_GTID', 'GTID_SEQ_NO')""";
    Map<String, String> settings = new TreeMap<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      settings.put("JDBC network timeout", Integer.toString(connection.getNetworkTimeout()));
      settings.put("JDBC isolation", Integer.toString(connection.getTransactionIsolation()));
      settings.put("JDBC auto-commit", Boolean.toString(connection.getAutoCommit()));
      try (ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          settings.put(rows.getString(1), rows.getString(2));
        }
      }
    }
    return settings;
  }

  private static HikariDataSource hikari(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(WAIT.toMillis());
    return new HikariDataSource(config);
  }

  private static DataSource tomcat(String url) {
    PoolProperties properties = new PoolProperties();
    properties.setUrl(url);
    properties.setMaxActive(1);
    properties.setInitialSize(1);
    properties.setMaxWait((int) WAIT.toMillis());
    return new org.apache.tomcat.jdbc.pool.DataSource(properties);
  }

  private static DataSource dbcp(String url) {
    BasicDataSource source = new BasicDataSource();
    source.setUrl(url);
    source.setMaxTotal(1);
    source.setMaxWait(WAIT);
    return source;
  }
}
