package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link OutboxReader} must do: each committed row once per assignment, in order per
 * key, whatever the order of the commits.
 */
public abstract class OutboxReaderContract extends BoundedReadsContract {
  /** The connection of its assignment may lead to a database that was set back before that. */
  @Test
  void aReaderThatIsToldOfRenewalsFindsThatTheDatabaseLacksThem() {
    Session session = owner();
    OutboxReader reader = reader();
    assignAll(reader);
    reader.renewed(session.renewed().renewed().renewed());

    assertThatExceptionOfType(SessionLostException.class)
        .isThrownBy(() -> reader.read(10, 1_000_000));
  }

  @Test
  void everyRowOfConcurrentWritersIsReadOnceAndInOrderPerKey() throws Exception {
    OutboxReader reader = warmReader();
    ConcurrentWriters writers = new ConcurrentWriters(fixture(), 8, 20_000);
    ReadLog log = new ReadLog(this::name);
    writers.start();
    while (writers.running()) {
      log.add(reader.read(ROWS, BYTES).rows());
    }
    writers.join();
    log.add(drain(reader));

    assertThat(log.ids()).doesNotHaveDuplicates();
    assertThat(log.idSet()).isEqualTo(writers.committed());
    assertThat(log.inversions()).isEmpty();
  }

  @Test
  void rowsOfALateCommitWithLowIdsAreRead() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection late = fixture().connect()) {
      late.setAutoCommit(false);
      fixture().insert(late, WrittenEvent.of("late", "1"));
      insert(WrittenEvent.of("early", "2"));
      assertThat(ids(drain(reader))).containsExactly("early");
      insert(WrittenEvent.of("early-2", "2"));
      assertThat(ids(drain(reader))).containsExactly("early-2");
      late.commit();
    }
    assertThat(ids(drain(reader))).containsExactly("late");
    assertThat(drain(reader)).isEmpty();
  }

  @Test
  void rowsAfterALongQuietAreReadByTheNextRead() throws SQLException {
    OutboxReader reader = warmReader();
    for (int i = 0; i < 20; i++) {
      assertThat(reader.read(ROWS, BYTES).rows()).isEmpty();
    }
    insert(WrittenEvent.of("a", "1"));
    assertThat(ids(reader.read(ROWS, BYTES).rows())).containsExactly("a");
  }

  @Test
  void anOpenTransactionStallsNobody() throws SQLException {
    try (Connection open = fixture().connect()) {
      open.setAutoCommit(false);
      fixture().insert(open, WrittenEvent.of("open", "1"));
      OutboxReader reader = warmReader();
      insert(WrittenEvent.of("a", "1"), WrittenEvent.of("b", "2"));
      assertThat(ids(drain(reader))).containsExactly("a", "b");
      open.rollback();
      assertThat(drain(reader)).isEmpty();
    }
  }

  @Test
  void rolledBackRowsAreNeverRead() throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection connection = fixture().connect()) {
      connection.setAutoCommit(false);
      fixture().insert(connection, WrittenEvent.of("ghost", "1"));
      connection.rollback();
      fixture().insert(connection, WrittenEvent.of("kept", "1"));
      Savepoint savepoint = connection.setSavepoint();
      fixture().insert(connection, WrittenEvent.of("ghost-2", "1"));
      connection.rollback(savepoint);
      fixture().insert(connection, WrittenEvent.of("kept-2", "1"));
      connection.commit();
    }
    assertThat(ids(drain(reader))).containsExactly("kept", "kept-2");
  }

  @Test
  void aRowComesBackAsItWasWritten() throws SQLException {
    OutboxReader reader = warmReader();
    String text = has(Ability.BYTES) ? "{\"n\":\"\u00fc\u0000\"}" : "{\"n\": \"\u00fc\"}";
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    insert(WrittenEvent.of("full", "K\u00f6ln").payload(payload));

    OutboxRow full = drain(reader).get(0);

    assertThat(name(full)).isEqualTo("full");
    assertThat(full.payload()).isEqualTo(payload);
    assertThat(full.key()).isEqualTo(fixture().key("order", "K\u00f6ln"));
    assertThat(full.createdAtMicros())
        .isBetween(full.readAtMicros() - 60_000_000, full.readAtMicros());
    assertThat(full.replay()).isFalse();
  }

  @Test
  void aRowWithoutKeyAndPayloadComesBackAsItWasWritten() throws SQLException {
    needs(Ability.NO_KEY, Ability.TOMBSTONES);
    OutboxReader reader = warmReader();
    insert(new WrittenEvent("bare", null, null, null, null));

    OutboxRow bare = drain(reader).get(0);

    assertThat(name(bare)).isEqualTo("bare");
    assertThat(bare.key()).isNull();
    assertThat(bare.payload()).isNull();
    assertThat(bare.headersJson()).isNull();
  }

  @Test
  void delayedRowsAreReadOnceAndNotBeforeTheyAreDue() throws SQLException {
    needs(Ability.DELAYS);
    OutboxReader reader = warmReader();
    insert(
        WrittenEvent.of("delayed", "1").delay(Duration.ofSeconds(2)),
        WrittenEvent.of("later", "1").delay(Duration.ofHours(1)),
        WrittenEvent.of("now", "1"));
    assertThat(ids(drain(reader))).containsExactly("now");

    List<OutboxRow> rows = new ArrayList<>();
    await().atMost(Patience.of(Duration.ofSeconds(10))).until(() -> rows.addAll(drain(reader)));

    assertThat(ids(rows)).containsExactly("delayed");
    OutboxRow row = rows.get(0);
    assertThat(row.readAtMicros() - row.createdAtMicros()).isGreaterThanOrEqualTo(1_990_000);
    assertThat(drain(reader)).isEmpty();
  }

  @Test
  void delayedRowsThatAreDueAtAColdStartAreReadOnce() throws SQLException {
    needs(Ability.DELAYS);
    insert(
        IntStream.range(0, 2500)
            .mapToObj(
                i -> WrittenEvent.of("e" + i, "k" + i % 7).delay(Duration.ofMillis(1 + i % 3)))
            .toArray(WrittenEvent[]::new));
    OutboxReader reader = reader();
    assignAll(reader);
    List<OutboxRow> rows = new ArrayList<>();
    await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(() -> rows.addAll(drain(reader)) && rows.size() >= 2500);
    assertThat(ids(rows)).doesNotHaveDuplicates().hasSize(2500);
  }

  @Test
  void lanesAreReadWhileAssignedAndFromTheStartWhenAssignedAgain() throws SQLException {
    Session session = owner();
    OutboxReader reader = warmReader();
    insert(numbered(200));
    List<OutboxRow> first = drain(reader);
    Set<Integer> some = first.stream().map(OutboxRow::lane).limit(20).collect(Collectors.toSet());
    List<String> theirs =
        first.stream().filter(row -> some.contains(row.lane())).map(this::name).toList();

    reader.revoke(some);
    insert(WrittenEvent.of("again-1", "k1"), WrittenEvent.of("again-2", "k2"));
    assertThat(drain(reader)).noneMatch(row -> some.contains(row.lane()));

    reader.assign(session, some);
    assertThat(ids(drain(reader))).containsAll(theirs).doesNotHaveDuplicates();
    insert(numbered("more", 300));
    assertThat(ids(drain(reader))).doesNotHaveDuplicates().hasSize(300);
    assertThat(drain(reader)).isEmpty();
  }

  @Test
  void aNewAssignmentFindsLateRowsBelowPublishedOnes() throws SQLException {
    Session session = owner();
    OutboxReader reader = reader();
    OutboxStore store = store();
    try (Connection late = fixture().connect()) {
      late.setAutoCommit(false);
      fixture().insert(late, WrittenEvent.of("late", "1"));
      for (int round = 0; round < 3; round++) {
        insert(numbered("r" + round + "-", 300));
        assignAll(reader);
        List<OutboxRow> rows = drain(reader);
        assertThat(rows).hasSize(300);
        store.settle(session, Settlement.published(rows));
        reader.revoke(allLanes());
      }
      late.commit();
    }
    insert(WrittenEvent.of("new", "1"));
    assignAll(reader);
    assertThat(ids(drain(reader))).containsExactly("late", "new");
  }

  @Test
  void lanesAssignedOneByOneWhileWritersWriteLoseNothing() throws Exception {
    OutboxReader reader = reader();
    ConcurrentWriters writers = new ConcurrentWriters(fixture(), 4, 6_000);
    ReadLog log = new ReadLog(this::name);
    List<Integer> waiting = new ArrayList<>(allLanes());
    Session session = living();
    writers.start();
    while (writers.running() || !waiting.isEmpty()) {
      if (!waiting.isEmpty()) {
        reader.assign(session, Set.of(waiting.remove(waiting.size() - 1)));
      }
      log.add(reader.read(50, BYTES).rows());
    }
    writers.join();
    log.add(drain(reader));
    assertThat(log.ids()).doesNotHaveDuplicates();
    assertThat(log.idSet()).isEqualTo(writers.committed());
    assertThat(log.inversions()).isEmpty();
  }

  @Test
  void rowsAreReadWhenNumbersBeginAgain() throws SQLException {
    fixture().renumber();
    OutboxReader reader = warmReader();
    for (int i = 0; i < 20; i++) {
      insert(WrittenEvent.of("old-" + i, "1"));
    }
    assertThat(drain(reader)).hasSize(20);
    fixture().renumber();
    for (int i = 0; i < 6; i++) {
      insert(WrittenEvent.of("new-" + i, "1"));
    }

    List<OutboxRow> rows = new ArrayList<>();
    await()
        .untilAsserted(
            () -> {
              // Fewer than there are: the window is read by id.
              rows.addAll(reader.read(2, BYTES).rows());
              assertThat(ids(rows))
                  .containsExactly("new-0", "new-1", "new-2", "new-3", "new-4", "new-5");
            });
    assignAll(reader);
    assertThat(ids(drain(reader))).hasSize(6);
  }

  @Test
  void aFencedReaderFindsNothing() throws SQLException {
    LaneStore lanes = lanes();
    Session session = lanes.join("relay", LEASE);
    OutboxReader cold = reader();
    cold.assign(session, allLanes());
    OutboxReader warm = reader();
    warm.assign(session, allLanes());
    drain(warm);
    WrittenEvent first = WrittenEvent.of("first", "1");
    insert(
        has(Ability.DELAYS) ? first.delay(Duration.ofMillis(200)) : first,
        WrittenEvent.of("new", "1"));

    lanes.leave(session);

    OutboxReader living = reader();
    assignAll(living);
    List<OutboxRow> found = new ArrayList<>();
    await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(() -> found.addAll(drain(living)) && found.size() == 2);
    assertThat(drain(cold)).isEmpty();
    assertThat(drain(warm)).isEmpty();
  }

  @Test
  void rowsThatACrashCanUndoAreNotReturned() throws SQLException {
    needs(Ability.ASYNCHRONOUS_COMMITS);
    OutboxReader reader = warmReader();
    try (Connection writer = fixture().connect()) {
      fixture().commitAsynchronously(writer);
      for (int i = 0; i < 50; i++) {
        fixture().insert(writer, WrittenEvent.of("async" + i, "k"));
      }
    }
    List<String> read = ids(reader.read(ROWS, BYTES).rows());
    fixture().crash();
    for (String id : read) {
      assertThat(fixture().status(id)).isEqualTo("PENDING");
    }
    insert(numbered(100));
    List<String> after = ids(readThrough(reader));
    assertThat(after).doesNotContainAnyElementsOf(read).contains("e0", "e99");
  }

  private List<OutboxRow> readThrough(OutboxReader reader) {
    List<OutboxRow> rows = new ArrayList<>();
    await()
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .ignoreExceptions()
        .until(() -> rows.addAll(drain(reader)) && rows.size() >= 100);
    return rows;
  }
}
