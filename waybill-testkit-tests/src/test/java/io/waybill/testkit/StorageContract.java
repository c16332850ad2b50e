package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.admin.Admin;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.operator.Storage;
import io.waybill.internal.jdbc.operator.Storage.Holder;
import io.waybill.internal.jdbc.operator.Storage.OpenTransaction;
import io.waybill.internal.jdbc.operator.Storage.StoredTable;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What the tables weigh, and whose transaction is open, beside any table. */
abstract class StorageContract extends OperatedContract {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(30));
  private static final String READER = "storage_reader";

  @Override
  protected abstract LayoutFixture fixture();

  /** Where the tables are, with the user. */
  abstract String url();

  private String outbox() {
    return fixture().layout().table().name();
  }

  private boolean isPostgres() {
    return fixture().kind() == DatabaseKind.POSTGRESQL;
  }

  /** Number of the session of a connection. */
  private String session(Connection connection) throws SQLException {
    String sql = isPostgres() ? "select pg_backend_pid()" : "select connection_id()";
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  /** With an event that is written and not committed. */
  private Connection holding() throws SQLException {
    Connection holder = fixture().connect();
    holder.setAutoCommit(false);
    fixture().insert(holder, WrittenEvent.of("open", "1"));
    return holder;
  }

  Storage storage() {
    try (Admin admin = admin()) {
      return Storage.of(admin);
    }
  }

  private StoredTable table(Storage storage) {
    return storage.tables().stream()
        .filter(each -> each.name().equals(outbox()))
        .findFirst()
        .orElseThrow();
  }

  private static Optional<OpenTransaction> open(Storage storage, String session) {
    return storage.transactions().stream().filter(each -> each.id().equals(session)).findFirst();
  }

  /** InnoDB looks at its transactions now and then. */
  private static OpenTransaction seen(Supplier<Storage> look, String session) {
    return await()
        .atMost(LIMIT)
        .until(() -> open(look.get(), session), Optional::isPresent)
        .orElseThrow();
  }

  @Test
  void eachTableHasItsRowsAndItsSize() throws SQLException {
    written("a", "b", "c");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              fixture().analyze();
              assertThat(table(storage()).rows()).isEqualTo(3);
            });
    Storage storage = storage();
    assertThat(storage.waiting()).isEqualTo(3);
    assertThat(storage.more()).isFalse();
    assertThat(storage.grant()).isNull();
    assertThat(table(storage).bytes()).isPositive();
    assertThat(table(storage).removed() == null).isEqualTo(!isPostgres());
    assertThat(storage.unpurged() == null).isEqualTo(isPostgres());
    List<String> names = storage.tables().stream().map(StoredTable::name).toList();
    assertThat(names)
        .contains(
            outbox(), fixture().names.prefix() + "row_state", fixture().names.prefix() + "job")
        .doesNotHaveDuplicates();
  }

  @Test
  void theOpenTransactionIsNamedAndItsCommandEndsIt() throws SQLException {
    try (Connection holder = holding()) {
      String session = session(holder);
      OpenTransaction open = seen(this::storage, session);
      assertThat(open.kind()).isEqualTo(Holder.SESSION);
      assertThat(open.user()).isNotBlank();
      assertThat(open.state()).isNotBlank();
      assertThat(open.since())
          .isBetween(Instant.now().minus(LIMIT), Instant.now().plus(Duration.ofSeconds(2)));
      fixture().run(String.valueOf(open.command()));
      await().atMost(LIMIT).until(() -> open(storage(), session).isEmpty());
      // It is gone: a driver that rolls back as it closes would fail.
      holder.abort(Runnable::run);
    }
  }

  /** The user's own view, on connections of its own. */
  private Admin ofReader() {
    ConnectionFactory connections =
        () -> DriverManager.getConnection(url().replaceFirst("user=\\w+", "user=" + READER));
    return TableOutbox.of(
            connections,
            fixture().layout(),
            fixture().kind(),
            TableOptions.defaults(fixture().layout()))
        .admin();
  }

  @Test
  void whatAUserMayNotSeeIsSaidWithTheGrant() throws SQLException {
    String schema = fixture().schema();
    List<String> statements =
        isPostgres()
            ? List.of(
                "create role %s login".formatted(READER),
                "grant usage on schema %s to %s".formatted(schema, READER),
                "grant select on all tables in schema %s to %s".formatted(schema, READER))
            : List.of(
                "create user " + READER, "grant select on %s.* to %s".formatted(schema, READER));
    for (String statement : statements) {
      fixture().run(statement);
    }
    try (Connection holder = holding()) {
      String session = session(holder);
      String grant;
      try (Admin reader = ofReader()) {
        Storage storage = Storage.of(reader);
        assertThat(table(storage).bytes()).isPositive();
        assertThat(storage.transactions()).allMatch(each -> each.since() == null);
        grant = String.valueOf(storage.grant());
        assertThat(grant).startsWith("grant ").contains(READER);
        assertThat(Storage.of(reader).grant()).as("on the same connection").isEqualTo(grant);
      }
      fixture().run(grant);
      try (Admin reader = ofReader()) {
        assertThat(seen(() -> Storage.of(reader), session).since()).isNotNull();
        assertThat(Storage.of(reader).grant()).isNull();
      }
    } finally {
      fixture()
          .run(
              isPostgres()
                  ? "drop owned by " + READER + "; drop role " + READER
                  : "drop user " + READER);
    }
  }
}
