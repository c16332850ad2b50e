package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.store.TemporaryErrors;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Notes of events that a statement has committed before their handlers returned. */
abstract class InboxOpenNotesContract extends InboxContract {
  @BeforeEach
  void scratch() throws SQLException {
    execute("create table if not exists scratch (id int)");
  }

  @AfterEach
  void dropScratch() throws SQLException {
    execute("drop table scratch");
  }

  /** Statements after which the transaction is another one, and what came before is committed. */
  List<String> commits() {
    return kind() == DatabaseKind.POSTGRESQL
        ? List.of("commit", "/* mine */ end", "insert into scratch values (1); commit")
        : List.of(
            "truncate table scratch",
            "commit",
            "start transaction",
            "set autocommit = 1",
            "create table if not exists scratch (id int)");
  }

  @Test
  void whatFollowsOneThatRollsBackIsNotCommittedWithoutItsNote() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      addOne(transaction.connection(), "before");
      run(transaction.connection(), "rollback");
      addOne(transaction.connection(), "after");

      assertThatExceptionOfType(RefusedCommitException.class).isThrownBy(transaction::commit);
      transaction.rollback();
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(texts("select id from effect")).isEmpty();
  }

  /** As a statement that commits and a death of the process leave it. */
  void leaveOpenNote(InboxStore store, String id) throws SQLException {
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event(id)));
      run(transaction.connection(), commits().get(0));
      transaction.abort();
    }
  }

  @Test
  void oneThatRollsBackDoesNotLoseAnEventWhoseOpenNoteWasTakenOver() throws SQLException {
    InboxStore store = open("a");
    leaveOpenNote(store, "e1");
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(List.of(event("e1"))))
          .containsExactly(new DedupeResult.Fresh());
      addOne(transaction.connection(), "mine");
      run(transaction.connection(), "rollback");
      assertThat(transaction.handled(List.of(event("e1")))).isTrue();

      assertThatExceptionOfType(RefusedCommitException.class).isThrownBy(transaction::commit);
      transaction.rollback();
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(store, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
  }

  @Test
  void anOpenNoteOfAnotherIsNotTakenForOnesOwnAfterARollback() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      run(transaction.connection(), "rollback");
      leaveOpenNote(open("a"), "e1");
      assertThat(transaction.handled(List.of(event("e1")))).isTrue();

      assertThatExceptionOfType(RefusedCommitException.class).isThrownBy(transaction::commit);
      transaction.rollback();
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void whatAnotherHasMetAfterAStatementThatCommitsIsNoFailureForGood() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      run(transaction.connection(), commits().get(0));
      assertThat(process(open("a"), event("e1"))).isEqualTo(new DedupeResult.Fresh());
      assertThat(transaction.handled(List.of(event("e1")))).isTrue();

      assertThatExceptionOfType(RefusedCommitException.class)
          .isThrownBy(transaction::commit)
          .havingCause()
          .matches(cause -> TemporaryErrors.isTemporary((SQLException) cause));
      transaction.rollback();
    }
    assertThat(process(store, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
  }

  @Test
  void afterACrashTheNextInboxHandlesWhatHadNotReturned() throws SQLException {
    for (String commit : commits()) {
      InboxStore store = open("a");
      String id = "e" + commits().indexOf(commit);
      List<DedupeKey> events = List.of(event(id + "a"), event(id + "b"), event(id + "c"));
      try (InboxTransaction transaction = store.begin()) {
        transaction.markSeen(events);
        addOne(transaction.connection(), id);
        assertThat(transaction.handled(List.of(events.get(0)))).isFalse();
        run(transaction.connection(), commit);
        transaction.abort();
      }
      InboxStore other = open("a");
      try (InboxTransaction transaction = other.begin()) {
        assertThat(transaction.markSeen(events))
            .as(commit)
            .satisfiesExactly(
                first -> assertThat(first).isInstanceOf(DedupeResult.Seen.class),
                second -> assertThat(second).isEqualTo(new DedupeResult.Fresh()),
                third -> assertThat(third).isEqualTo(new DedupeResult.Fresh()));
        transaction.commit();
      }
      assertThat(process(other, events.get(1))).isInstanceOf(DedupeResult.Seen.class);
      assertThat(process(other, events.get(2))).isInstanceOf(DedupeResult.Seen.class);
      assertThat(texts("select n from effect where id = '" + id + "'")).containsExactly("1");
    }
  }

  @Test
  void theFirstToMeetAnOpenNoteHasTheEvent() throws SQLException {
    InboxStore store = open("a");
    InboxStore other = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1"), event("e2"), event("e3")));
      run(transaction.connection(), commits().get(0));
      addOne(transaction.connection(), "mine");

      assertThat(process(other, event("e2"))).isEqualTo(new DedupeResult.Fresh());
      assertThat(transaction.handled(List.of(event("e1")))).isTrue();
      transaction.takeBack(List.of(event("e2"), event("e3")));
      transaction.commit();
    }
    assertThat(process(other, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(other, event("e2"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(other, event("e3"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(other, event("e3"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(texts("select id from effect")).containsExactly("mine");
  }

  @Test
  void whatAnotherHasTakenOverIsNotCommittedASecondTime() throws SQLException {
    InboxStore store = open("a");
    InboxStore other = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      run(transaction.connection(), commits().get(0));
      addOne(transaction.connection(), "mine");
      assertThat(process(other, event("e1"))).isEqualTo(new DedupeResult.Fresh());
      transaction.handled(List.of(event("e1")));

      assertThatExceptionOfType(RefusedCommitException.class).isThrownBy(transaction::commit);
      transaction.rollback();
    }
    assertThat(texts("select id from effect")).isEmpty();
  }

  @Test
  void oneWithAnOpenNoteWaitsBehindADeferredEventOfItsKey() throws SQLException {
    InboxStore store = open("a");
    DedupeKey early = event("e1", "key");
    DedupeKey late = event("e2", "key");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(early, late));
      run(transaction.connection(), commits().get(0));
      transaction.abort();
    }
    defer(store, deferred(early, 60_000));
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(List.of(late))).containsExactly(new DedupeResult.Behind());
      assertThat(transaction.markSeen(List.of(late, event("e3", "key"))))
          .containsExactly(new DedupeResult.Behind(), new DedupeResult.Behind());
      transaction.rollback();
    }
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.noteDead(late)).isEqualTo(new DedupeResult.Fresh());
      transaction.commit();
    }
    assertThat(process(store, late)).isInstanceOf(DedupeResult.Seen.class);
  }

  @Test
  void whatCannotEndTheTransactionLeavesNothingBehind() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1"), event("e2"), event("e3")));
      for (String id : List.of("e1", "e2")) {
        // Nobody knows what procedures do: a statement that is not known stands for one.
        run(transaction.connection(), "explain select 1");
        addOne(transaction.connection(), id);
        assertThat(transaction.handled(List.of(event(id)))).isFalse();
      }
      transaction.takeBack(List.of(event("e3")));
      transaction.commit();
    }
    assertThat(texts("select event_id from waybill_inbox_attempt")).isEmpty();
    assertThat(process(store, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(store, event("e3"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void whatIsPlainlyDataCostsNothing() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      Connection connection = transaction.connection();
      addOne(connection, "e1");
      run(connection, " (select 1)");
      run(connection, "delete from scratch;");
      assertThat(markedBy(connection)).isEmpty();
      run(connection, "explain select 1");
      assertThat(markedBy(connection)).containsExactly(" e1");
      transaction.rollback();
    }
  }

  private static List<String> markedBy(Connection connection) throws SQLException {
    List<String> ids = new ArrayList<>();
    try (PreparedStatement statement =
            connection.prepareStatement("select event_id from waybill_inbox_attempt");
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        ids.add(result.getString(1));
      }
    }
    return ids;
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
