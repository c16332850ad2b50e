package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Reads are bounded by rows and bytes, and what is above a bound is read later, or as its size. A
 * warm-up leaves everything as it was.
 */
abstract class BoundedReadsContract extends StoreContract {
  private static final int BOUND = 64 << 10;

  @Test
  void aRowAboveTheBoundComesAsItsSizeAlone() throws SQLException {
    needs(Ability.LARGE_PAYLOADS);
    OutboxReader reader = reader(BOUND);
    assignAll(reader);
    drain(reader);
    insert(large("large"), WrittenEvent.of("small", "1"), large("large-2"));

    List<OutboxRow> rows = drain(reader);

    assertThat(ids(rows)).containsExactly("large", "small", "large-2");
    assertUnread(rows.get(0));
    assertUnread(rows.get(2));
    assertThat(rows.get(1).whole()).isTrue();
    assertThat(rows.get(1).payload()).isNotNull();
  }

  @Test
  void aRowAboveTheBoundIsNotReadWithWhatFailedOrIsHeldOrAskedFor() throws SQLException {
    needs(Ability.LARGE_PAYLOADS);
    OutboxReader first = warmReader();
    insert(large("tried"), large("held"), large("asked"));
    List<OutboxRow> rows = drain(first);
    Session session = owner();
    FailedRow tried = new FailedRow(rows.get(0), RowState.RETRY, 1, false, 0, "nack", "no");
    FailedRow asked = new FailedRow(rows.get(2), RowState.PARKED, 1, false, 0, "nack", "no");
    List<FailedRow> failed = List.of(tried, asked);
    store().settle(session, settlement(List.of(), failed, List.of(rows.get(1))));
    fixture().request("RETRY", "asked");

    OutboxReader reader = reader(BOUND);
    Backlog backlog = assignAll(reader);
    assertThat(backlog.failed())
        .filteredOn(row -> row.state() == RowState.RETRY)
        .singleElement()
        .satisfies(row -> assertUnread(row.row()));
    assertUnread(reader.readHeld(List.of(fixture().key("order", "1")), 10, BYTES).rows().get(0));
    assertThat(reader.requests(10))
        .singleElement()
        .satisfies(request -> assertUnread(Objects.requireNonNull(request.row())));
  }

  @Test
  void aWarmUpIsBoundedAndLeavesEverythingAsItWas() throws SQLException {
    OutboxReader first = warmReader();
    insert(numbered(6));
    List<OutboxRow> rows = drain(first);
    FailedRow tried = new FailedRow(rows.get(0), RowState.RETRY, 1, false, 0, "nack", "no");
    store().settle(owner(), settlement(List.of(), List.of(tried), List.of(rows.get(1))));

    OutboxReader reader = reader();
    assertThat(reader.warmUp(3, BYTES)).hasSizeBetween(1, 3);
    assertThat(reader.warmUp(ROWS, 1)).hasSize(1);
    assertThat(assignAll(reader).failed()).hasSize(1);
    assertThat(ids(drain(reader))).isEqualTo(ids(rows.subList(2, 6)));

    assertThat(reader.warmUp(ROWS, BYTES)).isNotEmpty();
    insert(WrittenEvent.of("late", "late"));
    assertThat(ids(drain(reader))).containsExactly("late");
  }

  @Test
  void aWarmUpFindsNothingInAnEmptyTable() {
    assertThat(reader().warmUp(ROWS, BYTES)).isEmpty();
  }

  @Test
  void aWarmUpOfTheStoreSettlesNothingAndWaitsForNobody() throws SQLException {
    OutboxStore store = store();
    store.warmUp(List.of());
    OutboxReader first = warmReader();
    insert(numbered(2));
    List<OutboxRow> rows = drain(first);
    try (Connection holder = fixture().connect()) {
      holder.setAutoCommit(false);
      fixture().lock(holder, "e0");
      store.warmUp(rows);
      holder.rollback();
    }
    OutboxReader reader = reader();
    assignAll(reader);
    assertThat(ids(drain(reader))).containsExactlyInAnyOrder("e0", "e1");
    assertThat(store.settle(owner(), Settlement.published(rows))).isEqualTo(new Settled(false, 2));
  }

  private static WrittenEvent large(String name) {
    String json = "{\"text\": \"" + "x".repeat(BOUND) + "\"}";
    return WrittenEvent.of(name, "1").payload(json.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertUnread(OutboxRow row) {
    assertThat(row.whole()).isFalse();
    assertThat(row.payload()).isNull();
    assertThat(row.storedBytes()).isGreaterThan(BOUND);
  }

  @Test
  void manyDelayedRowsDueTogetherAreReadInPages() throws SQLException {
    needs(Ability.DELAYS);
    OutboxReader reader = warmReader();
    insert(
        IntStream.range(0, 2500)
            .mapToObj(i -> WrittenEvent.of("e" + i, "k" + i % 7).delay(Duration.ofSeconds(2)))
            .toArray(WrittenEvent[]::new));
    // Where writing takes long, some are due by now.
    List<OutboxRow> rows = new ArrayList<>(drain(reader));
    await()
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .until(
            () -> {
              rows.addAll(reader.read(100, BYTES).rows());
              return rows.size() >= 2500;
            });
    assertThat(ids(rows)).doesNotHaveDuplicates().hasSize(2500);
    assertThat(drain(reader)).isEmpty();
  }

  @Test
  void aReadStopsAtItsBytesButReturnsOneRowHoweverLarge() throws SQLException {
    needs(Ability.LARGE_PAYLOADS);
    OutboxReader reader = warmReader();
    byte[] big = ("\"" + "x".repeat(899_998) + "\"").getBytes(StandardCharsets.UTF_8);
    WrittenEvent[] events =
        IntStream.range(0, 30)
            .mapToObj(i -> WrittenEvent.of("big" + i, "k").payload(big))
            .toArray(WrittenEvent[]::new);
    insert(events);

    assertThat(ids(reader.read(ROWS, 10).rows())).containsExactly("big0");
    ReadResult three = reader.read(ROWS, 2_500_000);
    assertThat(ids(three.rows())).containsExactly("big1", "big2", "big3");
    assertThat(three.more()).isTrue();
    assertThat(drain(reader)).hasSize(26);

    OutboxReader cold = reader();
    assignAll(cold);
    assertThat(ids(cold.read(ROWS, 2_500_000).rows())).containsExactly("big0", "big1", "big2");
    assertThat(drain(cold)).hasSize(27);
  }

  @Test
  void aLargeWindowIsReadInPagesInOrder() throws SQLException {
    OutboxReader reader = warmReader();
    insert(numbered(3501));
    List<Integer> sizes = new ArrayList<>();
    List<OutboxRow> rows = new ArrayList<>();
    ReadResult result;
    do {
      result = reader.read(500, BYTES);
      sizes.add(result.rows().size());
      rows.addAll(result.rows());
    } while (result.more());
    assertThat(sizes).allMatch(size -> size <= 500);
    assertThat(ids(rows)).isEqualTo(IntStream.range(0, 3501).mapToObj(i -> "e" + i).toList());
    assertThat(drain(reader)).isEmpty();
  }

  @Test
  void aColdStartReadsWhatIsThereInPagesAndNewRowsBehindIt() throws SQLException {
    insert(numbered(2500));
    OutboxReader reader = reader();
    assignAll(reader);
    List<OutboxRow> rows = new ArrayList<>(reader.read(ROWS, BYTES).rows());
    assertThat(rows).hasSize(ROWS);
    insert(WrittenEvent.of("new", "k1"));
    rows.addAll(drain(reader));
    assertThat(ids(rows)).doesNotHaveDuplicates().hasSize(2501).endsWith("new");
  }

  static WrittenEvent[] numbered(int count) {
    return numbered("e", count);
  }

  static WrittenEvent[] numbered(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> WrittenEvent.of(prefix + i, "k" + i % 100))
        .toArray(WrittenEvent[]::new);
  }
}
