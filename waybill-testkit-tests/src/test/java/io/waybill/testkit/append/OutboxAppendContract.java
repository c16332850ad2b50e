package io.waybill.testkit.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Payload;
import io.waybill.outbox.DuplicateEventException;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.RelaySignal;
import io.waybill.proof.proxy.RoundTripCounter;
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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The write API on any database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
abstract class OutboxAppendContract {
  private AppendDatabase database;
  private Outbox outbox;

  abstract AppendDatabase launch() throws SQLException;

  @BeforeAll
  void start() throws SQLException {
    database = launch();
    outbox = Outbox.of(database.dialect(database.schema()));
  }

  @AfterAll
  void stop() {
    database.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    database.empty();
  }

  private Event event(String name) {
    return database.event(name);
  }

  private List<Event> events(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> event(prefix + i)).toList();
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  private void assumeEventIds() {
    assumeTrue(database.hasEventIds(), "the table has no column for the event id");
  }

  @Test
  void anEventIsThereWhenItsTransactionCommits() throws SQLException {
    try (Connection connection = database.begin()) {
      AppendDatabase.run(connection, "insert into orders values ('1')");
      outbox.append(connection, event("e-1"));
      assertThat(database.names()).isEmpty();
      connection.commit();
    }

    assertThat(database.names()).containsExactly("e-1");
    assertThat(database.column("select id from orders")).containsExactly("1");
  }

  @Test
  void manyEventsKeepTheirOrder() throws SQLException {
    // Where times are equal, ids decide, which are made here.
    Event first = event("o-first");
    List<Event> events = events("o-", 1_000);
    try (Connection connection = database.begin()) {
      outbox.append(connection, first);
      outbox.append(connection, events);
      outbox.append(connection, List.of());
      connection.commit();
    }

    List<String> expected = new ArrayList<>(List.of("o-first"));
    expected.addAll(names("o-", 1_000));
    assertThat(database.names()).isEqualTo(expected);
  }

  @Test
  void moreEventsThanOneStatementTakesAllArrive() throws SQLException {
    List<Event> small = events("s-", 5_001);
    List<Event> large =
        IntStream.range(0, 34).mapToObj(i -> database.event("l-" + i, database.large())).toList();
    try (Connection connection = database.begin()) {
      outbox.append(connection, small);
      outbox.append(connection, large);
      connection.commit();
    }

    assertThat(database.names()).hasSize(5_035).startsWith("s-0").endsWith("l-33");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000})
  void anAppendIsOneStatementAndOneRoundTrip(int count) throws SQLException {
    try (Connection connection = database.begin(database.counted())) {
      // The first append may ask the catalogue.
      outbox.append(connection, event("warm-" + count));
      // Often enough for the driver to change to prepared statements and binary transfer.
      for (int round = 0; round < 8; round++) {
        List<Event> events = events("r" + count + "-" + round + "-", count);
        long statements = database.inserts();
        int before = RoundTripCounter.roundTrips();
        outbox.append(connection, events);
        assertThat(RoundTripCounter.roundTrips() - before).isEqualTo(1);
        assertThat(database.inserts() - statements).isEqualTo(1);
      }
    }
  }

  @Test
  void aRolledBackTransactionLeavesNothing() throws SQLException {
    try (Connection connection = database.begin()) {
      outbox.append(connection, events("e-", 3));
      connection.rollback();
    }

    assertThat(database.names()).isEmpty();
  }

  @Test
  void aRolledBackSavepointLeavesWhatWasBeforeAndAfter() throws SQLException {
    try (Connection connection = database.begin()) {
      outbox.append(connection, event("before"));
      Savepoint savepoint = connection.setSavepoint();
      outbox.append(connection, events("gone-", 3));
      connection.rollback(savepoint);
      outbox.append(connection, event("after"));
      connection.commit();
    }

    assertThat(database.names()).containsExactly("before", "after");
  }

  @Test
  void aCrashedWriterLeavesNothing() throws SQLException {
    try (Connection connection = database.begin()) {
      outbox.append(connection, event("e-1"));
      database.killWriters();
      assertThatExceptionOfType(SQLException.class).isThrownBy(connection::commit);
    }

    assertThat(database.names()).isEmpty();
  }

  @Test
  void aDuplicateIsNamed() throws SQLException {
    assumeEventIds();
    try (Connection connection = database.begin()) {
      outbox.append(connection, event("e-1"));
      connection.commit();

      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> outbox.append(connection, event("e-1")))
          .withMessageContaining("Event id \"" + event("e-1").id() + "\" is a duplicate")
          .withMessageContaining("payload sha256 ")
          .extracting(DuplicateEventException::eventId)
          .isEqualTo(event("e-1").id());
      connection.rollback();

      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> outbox.append(connection, events("e-", 10)))
          .extracting(DuplicateEventException::eventId)
          .isEqualTo(event("e-1").id());
      connection.rollback();
    }

    assertThat(database.names()).containsExactly("e-1");
  }

  @Test
  void aDuplicateOfTheLongestIdIsNamedAmongOthers() throws SQLException {
    assumeEventIds();
    String rest = "x".repeat(database.longestId() - 5);
    String id = "first" + rest;
    try (Connection connection = database.begin()) {
      outbox.append(connection, event(id));
      connection.commit();

      List<Event> both = List.of(event("other" + rest), event(id));
      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> outbox.append(connection, both))
          .extracting(DuplicateEventException::eventId)
          .isEqualTo(event(id).id());
      connection.rollback();
    }
  }

  @Test
  void idsThatDifferInCaseAreNoDuplicates() throws SQLException {
    try (Connection connection = database.begin()) {
      outbox.append(connection, List.of(event("e-a"), event("e-A"), event("E-a")));
      connection.commit();
    }

    assertThat(database.names()).containsExactly("e-a", "e-A", "E-a");
  }

  @Test
  void aDuplicateWithinACallIsFoundBeforeTheInsert() throws SQLException {
    assumeEventIds();
    Event other = database.event("e-1", Payload.json("2"));
    try (Connection connection = database.begin()) {
      outbox.append(connection, event("kept"));
      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> outbox.append(connection, List.of(event("e-1"), other)))
          .withMessageMatching(".*twice, with payload sha256 [0-9a-f]+ and payload sha256 .*")
          .extracting(DuplicateEventException::eventId)
          .isEqualTo(event("e-1").id());
      connection.commit();
    }

    assertThat(database.names()).containsExactly("kept");
  }

  @Test
  void aWriterWhoMayNotReadStillLearnsThatItIsADuplicate() throws SQLException {
    assumeEventIds();
    try (Connection connection = database.beginAsWriter()) {
      outbox.append(connection, event("e-1"));
      connection.commit();

      assertThatExceptionOfType(DuplicateEventException.class)
          .isThrownBy(() -> outbox.append(connection, events("e-", 2)))
          .satisfies(e -> assertThat(e.eventId()).isIn(event("e-1").id(), null));
      connection.rollback();
    }
  }

  @Test
  void otherIntegrityErrorsAreNotReadAsDuplicates() throws SQLException {
    Event bad = database.bad();
    for (AppendDatabase.Constraint constraint : database.otherConstraints()) {
      empty();
      database.run("insert into orders values ('good')");
      database.run(database.otherRow());
      database.run(constraint.add());
      try (Connection connection = database.begin()) {
        assertThatExceptionOfType(SQLException.class)
            .describedAs(constraint.add())
            .isThrownBy(() -> outbox.append(connection, List.of(event("e-1"), bad)))
            // MySQL has a general state for checks.
            .satisfies(e -> assertThat(e.getSQLState()).matches("23.*|HY000"));
        connection.rollback();
      }
      empty();
      database.run(constraint.drop());
    }
  }

  @Test
  void limitsAreCheckedBeforeAnythingIsSent() throws SQLException {
    Event bad = Event.builder("", "order", "1").json("1").build();
    try (Connection connection = database.begin(database.counted())) {
      AppendDatabase.run(connection, "insert into orders values ('1')");
      int before = RoundTripCounter.roundTrips();

      assertThatExceptionOfType(InvalidEventException.class)
          .isThrownBy(() -> outbox.append(connection, List.of(event("e-1"), bad)));

      assertThat(RoundTripCounter.roundTrips()).isEqualTo(before);
      connection.commit();
    }

    assertThat(database.names()).isEmpty();
    assertThat(database.column("select id from orders")).containsExactly("1");
  }

  @Test
  void anAutoCommittingConnectionIsRefused() throws SQLException {
    try (Connection connection = database.begin()) {
      connection.setAutoCommit(true);

      assertThatIllegalStateException()
          .isThrownBy(() -> outbox.append(connection, event("e-1")))
          .withMessageContaining("auto-commit");
    }

    assertThat(database.names()).isEmpty();
  }

  @Test
  void theTableIsFoundByNameOrSearchPath() throws SQLException {
    try (Connection connection = database.begin()) {
      Outbox.of(database.dialect()).append(connection, event("e-1"));
      Outbox.of(database.dialect(database.schema(), database.table()))
          .append(connection, event("e-2"));
      connection.commit();
    }

    assertThat(database.names()).containsExactly("e-1", "e-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\"; drop table x; --", "schéma"})
  void namesThatAreNoIdentifiersAreRefused(String name) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> database.dialect(name))
        .withMessageContaining("must match");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> database.dialect("app", name))
        .withMessageContaining("table");
  }

  /** A schema may be a database, whose names may begin with a digit. */
  @Test
  void aTableBeginsWithNoDigit() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> database.dialect("app", "1a"))
        .withMessageContaining("table");
  }

  @Test
  void committedNudgesAndNeverThrows() {
    AtomicInteger signals = new AtomicInteger();
    RelaySignal failing =
        () -> {
          signals.incrementAndGet();
          throw new IllegalStateException("closed");
        };

    new Outbox(database.dialect(), EventLimits.ofDefaults(), failing).committed();

    assertThat(signals).hasValue(1);
  }
}
