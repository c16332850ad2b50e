package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layouts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables beside an adopted one are made by several at once, beside writers and relays. */
@Tag("server")
class LayoutApplyTest {
  private static final String SCHEMA = "layout_apply";
  private static final int ROUNDS = 20;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  static Stream<TestDatabase> databases() {
    return Stream.of(new PostgresTestDatabase(), new MariaDbTestDatabase());
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private static TableSchema schema(TestDatabase database) {
    return TableSchema.of(Layouts.WALLET, database.kind(), SideNames.of(Layouts.WALLET), 1);
  }

  private static void adopt(TestDatabase database) throws SQLException {
    try (Connection connection = database.createSchema(SCHEMA)) {
      TableSchema.run(connection, TableSchema.documentedTable("wallet", database.kind()));
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void twoAtOnceBothSucceed(TestDatabase database) throws Exception {
    List<String> failures = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      adopt(database);
      CyclicBarrier together = new CyclicBarrier(2);
      List<Future<Void>> both =
          threads.invokeAll(
              List.of(() -> apply(database, together), () -> apply(database, together)));
      for (Future<Void> each : both) {
        try {
          each.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          failures.add(String.valueOf(e.getCause()));
        }
      }
      try (Connection connection = database.connectTo(SCHEMA)) {
        assertThat(schema(database).check(connection)).isEmpty();
      }
    }
    assertThat(failures).as("of %d rounds", ROUNDS).isEmpty();
  }

  private static Void apply(TestDatabase database, CyclicBarrier together) throws Exception {
    try (Connection connection = database.connectTo(SCHEMA)) {
      together.await();
      schema(database).apply(connection);
      return null;
    }
  }

  /** A relay's open transaction holds up the change, which must not hold up all others. */
  @Test
  void noWriterWaitsBehindIt() throws Exception {
    TestDatabase database = new PostgresTestDatabase();
    adopt(database);
    try (Connection first = database.connectTo(SCHEMA)) {
      schema(database).apply(first);
    }
    try (Connection holder = database.connectTo(SCHEMA);
        Connection writer = database.connectTo(SCHEMA);
        Connection watcher = database.connect()) {
      holder.setAutoCommit(false);
      hold(holder);
      Future<Void> change = threads.submit(() -> apply(database, new CyclicBarrier(1)));
      Awaitility.await().until(() -> waiting(watcher));
      try (Statement statement = writer.createStatement()) {
        statement.execute("set statement_timeout = '20s'");
      }
      long before = System.nanoTime();
      hold(writer);
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
      holder.rollback();
      change.get(60, TimeUnit.SECONDS);
    }
  }

  private static void hold(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("update waybill_outbox_row_state set attempts = attempts where false");
    }
  }

  private static boolean waiting(Connection watcher) throws SQLException {
    try (Statement statement = watcher.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select 1 from pg_locks where not granted and mode = 'ShareLock'")) {
      return result.next();
    }
  }
}
