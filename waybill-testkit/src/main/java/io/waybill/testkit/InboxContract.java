package io.waybill.testkit;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.TableSchema;
import io.waybill.message.Headers;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Common ground of the contract suites of inboxes: a database with the tables of one. */
public abstract class InboxContract {
  static final Duration MINUTE = Duration.ofMinutes(1);

  private final List<InboxStore> stores = new ArrayList<>();

  /**
   * The database under test.
   *
   * @return the same for the whole class
   */
  protected abstract InboxDatabase database();

  @BeforeEach
  void createOrEmpty() throws SQLException {
    try (Connection connection = connect()) {
      String schema = schema(connection);
      InboxSchema.of(kind(), schema, InboxTables.own()).apply(connection);
      Schema.of(kind(), SchemaOptions.ofDefaults().schema(schema)).apply(connection);
    }
    execute("create table if not exists effect (id varchar(64) primary key, n int not null)");
    for (String table :
        List.of(
            "effect",
            "processed_events",
            "waybill_inbox_deferred",
            "waybill_inbox_attempt",
            "waybill_inbox_consumer",
            "waybill_inbox_lane",
            "waybill_outbox")) {
      execute("delete from " + table);
    }
  }

  @AfterEach
  void closeStores() {
    stores.forEach(InboxStore::close);
    stores.clear();
  }

  DatabaseKind kind() {
    return database().kind();
  }

  /** The schema in which connections find tables without being told. */
  String schema(Connection connection) throws SQLException {
    String schema =
        kind() == DatabaseKind.POSTGRESQL ? connection.getSchema() : connection.getCatalog();
    return String.valueOf(schema);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(database().url());
  }

  InboxStore open(String consumer) {
    return open(consumer, InboxOptions.ofDefaults());
  }

  InboxStore openWithLimit(String consumer, Duration limit) {
    return open(consumer, InboxOptions.ofDefaults().statementLimit(limit));
  }

  /** A store on an adopted table. */
  InboxStore openOn(String table, String consumer) {
    return open(consumer, InboxOptions.ofDefaults().tables(InboxTables.ofOneConsumer(table)));
  }

  private InboxStore open(String consumer, InboxOptions options) {
    InboxStore store = JdbcInboxStore.of(this::connect, kind(), consumer, options);
    stores.add(store);
    store.open();
    return store;
  }

  static DedupeKey event(String id) {
    return new DedupeKey(id, "order.placed", "orders", null);
  }

  static DedupeKey event(String id, String key) {
    return new DedupeKey(id, "order.placed", "orders", key.getBytes(StandardCharsets.UTF_8));
  }

  static DeferredEvent deferred(DedupeKey dedupeKey, long delayMillis) {
    return new DeferredEvent(
        dedupeKey, new byte[] {'{', '}'}, Headers.NONE, 0, 0, delayMillis, "", null, false);
  }

  /** Handles one event without any effect. */
  static DedupeResult process(InboxStore store, DedupeKey event) {
    try (InboxTransaction transaction = store.begin()) {
      DedupeResult dedupe = transaction.markSeen(List.of(event)).get(0);
      transaction.commit();
      return dedupe;
    }
  }

  static boolean defer(InboxStore store, DeferredEvent event) {
    try (InboxTransaction transaction = store.begin()) {
      boolean put = transaction.defer(event);
      transaction.commit();
      return put;
    }
  }

  static List<String> ids(List<DeferredEvent> events) {
    return events.stream().map(event -> event.dedupeKey().eventId()).toList();
  }

  static DeferredEvent named(List<DeferredEvent> events, String id) {
    return events.stream()
        .filter(event -> event.dedupeKey().eventId().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** An effect that is wrong if it is made twice. */
  static void addOne(Connection connection, String id) throws SQLException {
    try (PreparedStatement update =
            connection.prepareStatement("update effect set n = n + 1 where id = ?");
        PreparedStatement insert =
            connection.prepareStatement("insert into effect (id, n) values (?, 1)")) {
      update.setString(1, id);
      if (update.executeUpdate() == 0) {
        insert.setString(1, id);
        insert.executeUpdate();
      }
    }
  }

  /** Makes an event seem to have been processed some time ago. */
  void age(String eventId, long seconds) throws SQLException {
    execute(
        "update processed_events set processed_at = %s where event_id = '%s'"
            .formatted(database().ago(seconds), eventId));
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  void script(String script) throws SQLException {
    try (Connection connection = connect()) {
      TableSchema.run(connection, script);
    }
  }

  /** Rows of a query, columns separated by a bar. */
  List<String> texts(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        StringJoiner row = new StringJoiner("|");
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          @Nullable String value = result.getString(i);
          row.add(value == null ? "-" : value);
        }
        rows.add(row.toString());
      }
      return rows;
    }
  }
}
