package io.waybill.testkit.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waybill.jdbc.Schema;
import io.waybill.jdbc.dialect.PostgresAppend;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Payload;
import io.waybill.outbox.CommitNudge;
import io.waybill.outbox.DuplicateEventException;
import io.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxAppendTest {
  private static final Outbox OUTBOX = Outbox.of(PostgresAppend.inSchema("app"));
  private static final String COUNTED = "&socketFactory=" + RoundTripCounter.class.getName();
  private static AppendDatabase database;

  @BeforeAll
  static void launch() throws SQLException {
    database = new AppendDatabase();
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    database.run("truncate app.waybill_outbox, app.orders");
  }

  private static Event event(String id) {
    return Event.builder("order.placed", "order", "42").id(id).json("{\"id\":1}").build();
  }

  private static List<Event> events(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> event(prefix + i)).toList();
  }

  private static List<String> ids(List<Event> events) {
    return events.stream().map(Event::id).toList();
  }

  @Test
  void anEventIsThereWhenItsTransactionCommits() throws SQLException {
    try (Connection connection = database.begin()) {
      AppendDatabase.run(connection, "insert into app.orders values ('1')");
      OUTBOX.append(connection, event("e-1"));
      assertThat(database.eventIds()).isEmpty();
      connection.commit();
    }

    assertThat(database.eventIds()).containsExactly("e-1");
    assertThat(database.column("select id from app.orders")).containsExactly("1");
  }

  @Test
  void manyEventsKeepTheirOrder() throws SQLException {
    List<Event> events = events("e-", 1_000);
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, event("first"));
      OUTBOX.append(connection, events);
      OUTBOX.append(connection, List.of());
      connection.commit();
    }

    List<String> expected = new ArrayList<>(List.of("first"));
    expected.addAll(ids(events));
    assertThat(database.eventIds()).isEqualTo(expected);
  }

  @Test
  void moreEventsThanOneStatementTakesAllArrive() throws SQLException {
    List<Event> small = events("s-", 5_001);
    List<Event> large =
        IntStream.range(0, 34)
            .mapToObj(
                i ->
                    Event.builder("t", "a", "1")
                        .id("l-" + i)
                        .payload(Payload.of(new byte[1_000_000], Payload.BYTES))
                        .build())
            .toList();
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, small);
      OUTBOX.append(connection, large);
      connection.commit();
    }

    assertThat(database.eventIds()).hasSize(5_035).startsWith("s-0").endsWith("l-33");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000})
  void anAppendIsOneStatementAndOneRoundTrip(int count) throws SQLException {
    try (Connection connection = database.begin(COUNTED)) {
      AppendDatabase.run(connection, "select 1");
      // Often enough for the driver to change to prepared statements and binary transfer.
      for (int round = 0; round < 8; round++) {
        List<Event> events = events("r" + round + "-", count);
        long statements = inserts();
        int before = RoundTripCounter.ROUND_TRIPS.get();
        OUTBOX.append(connection, events);
        assertThat(RoundTripCounter.ROUND_TRIPS.get() - before).isEqualTo(1);
        assertThat(inserts() - statements).isEqualTo(1);
      }
    }
  }

  private static long inserts() throws SQLException {
    String sql = "select coalesce(sum(calls), 0) from pg_stat_statements where query ~ '^insert'";
    return Long.parseLong(String.valueOf(database.column(sql).get(0)));
  }

  @Test
  void aRolledBackTransactionLeavesNothing() throws SQLException {
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, events("e-", 3));
      connection.rollback();
    }

    assertThat(database.eventIds()).isEmpty();
  }

  @Test
  void aRolledBackSavepointLeavesWhatWasBeforeAndAfter() throws SQLException {
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, event("before"));
      Savepoint savepoint = connection.setSavepoint();
      OUTBOX.append(connection, events("gone-", 3));
      connection.rollback(savepoint);
      OUTBOX.append(connection, event("after"));
      connection.commit();
    }

    assertThat(database.eventIds()).containsExactly("before", "after");
  }

  @Test
  void aCrashedWriterLeavesNothing() throws SQLException {
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, event("e-1"));
      database.run(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where state = 'idle in transaction'");
      assertThatExceptionOfType(SQLException.class).isThrownBy(connection::commit);
    }

    assertThat(database.eventIds()).isEmpty();
  }

  @Test
  void aDuplicateIsNamed() throws SQLException {
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, event("e-1"));
      connection.commit();

      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> OUTBOX.append(connection, event("e-1")))
          .withMessageContaining("Event id \"e-1\" is a duplicate")
          .withMessageContaining("payload sha256 ")
          .extracting(DuplicateEventException::eventId)
          .isEqualTo("e-1");
      connection.rollback();

      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> OUTBOX.append(connection, events("e-", 10)))
          .extracting(DuplicateEventException::eventId)
          .isEqualTo("e-1");
      connection.rollback();
    }

    assertThat(database.eventIds()).containsExactly("e-1");
  }

  @Test
  void idsThatDifferInCaseAreNoDuplicates() throws SQLException {
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, List.of(event("e-a"), event("e-A"), event("E-a")));
      connection.commit();
    }

    assertThat(database.eventIds()).containsExactly("e-a", "e-A", "E-a");
  }

  @Test
  void aDuplicateWithinACallIsFoundBeforeTheInsert() throws SQLException {
    Event other = Event.builder("t", "a", "1").id("e-1").json("2").build();
    try (Connection connection = database.begin()) {
      OUTBOX.append(connection, event("kept"));
      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> OUTBOX.append(connection, List.of(event("e-1"), other)))
          .withMessageMatching(".*twice, with payload sha256 [0-9a-f]+ and payload sha256 .*")
          .extracting(DuplicateEventException::eventId)
          .isEqualTo("e-1");
      connection.commit();
    }

    assertThat(database.eventIds()).containsExactly("kept");
  }

  @Test
  void aWriterWhoMayNotReadStillLearnsThatItIsADuplicate() throws SQLException {
    database.run("create role writer; create role relay; create role reader");
    database.run(Schema.of(AppendDatabase.OPTIONS).grants("writer", "relay", "reader"));
    try (Connection connection = database.begin()) {
      AppendDatabase.run(connection, "set role writer");
      OUTBOX.append(connection, event("e-1"));
      connection.commit();

      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> OUTBOX.append(connection, events("e-", 2)))
          .satisfies(e -> assertThat(e.eventId()).isIn("e-1", null));
      connection.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create unique index other_key on app.waybill_outbox (correlation_id)",
        "alter table app.waybill_outbox add constraint other_check check (event_type <> 'bad')",
        "alter table app.waybill_outbox add constraint other_fk foreign key (event_type)"
            + " references app.orders (id) not valid",
        "alter table app.waybill_outbox alter column causation_id set not null"
      })
  void otherIntegrityErrorsAreNotReadAsDuplicates(String constraint) throws SQLException {
    Event bad = Event.builder("bad", "order", "1").correlationId("c").json("1").build();
    try (Connection connection = database.begin()) {
      AppendDatabase.run(
          connection,
          "insert into app.waybill_outbox (event_id, event_type, correlation_id, causation_id)"
              + " values ('x', 'good', 'c', 'c'); insert into app.orders values ('good')");
      AppendDatabase.run(connection, constraint);

      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> OUTBOX.append(connection, List.of(event("e-1"), bad)))
          .satisfies(e -> assertThat(e.getSQLState()).startsWith("23"));
      connection.rollback();
    }
  }

  @Test
  void limitsAreCheckedBeforeAnythingIsSent() throws SQLException {
    Event bad = Event.builder("", "order", "1").json("1").build();
    try (Connection connection = database.begin(COUNTED)) {
      AppendDatabase.run(connection, "insert into app.orders values ('1')");
      int before = RoundTripCounter.ROUND_TRIPS.get();

      assertThatExceptionOfType(InvalidEventException.class)
          .isThrownBy(() -> OUTBOX.append(connection, List.of(event("e-1"), bad)));

      assertThat(RoundTripCounter.ROUND_TRIPS.get()).isEqualTo(before);
      connection.commit();
    }

    assertThat(database.eventIds()).isEmpty();
    assertThat(database.column("select id from app.orders")).containsExactly("1");
  }

  @Test
  void anAutoCommittingConnectionIsRefused() throws SQLException {
    try (Connection connection = database.begin()) {
      connection.setAutoCommit(true);

      assertThatIllegalStateException()
          .isThrownBy(() -> OUTBOX.append(connection, event("e-1")))
          .withMessageContaining("auto-commit");
    }

    assertThat(database.eventIds()).isEmpty();
  }

  @Test
  void theTableIsFoundByNameOrSearchPath() throws SQLException {
    try (Connection connection = database.begin("&currentSchema=app")) {
      Outbox.of(PostgresAppend.ofDefaults()).append(connection, event("e-1"));
      Outbox.of(PostgresAppend.inTable("app", "waybill_outbox")).append(connection, event("e-2"));
      connection.commit();
    }

    assertThat(database.eventIds()).containsExactly("e-1", "e-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\"; drop table x; --", "1a", "schéma"})
  void namesThatAreNoIdentifiersAreRefused(String name) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> PostgresAppend.inSchema(name))
        .withMessageContaining("schema");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> PostgresAppend.inTable("app", name))
        .withMessageContaining("table");
  }

  @Test
  void committedNudgesAndNeverThrows() {
    AtomicInteger nudges = new AtomicInteger();
    CommitNudge failing =
        () -> {
          nudges.incrementAndGet();
          throw new IllegalStateException("closed");
        };

    new Outbox(PostgresAppend.ofDefaults(), EventLimits.ofDefaults(), failing).committed();

    assertThat(nudges).hasValue(1);
  }
}
