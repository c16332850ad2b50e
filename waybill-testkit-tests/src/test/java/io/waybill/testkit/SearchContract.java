package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.EventCount;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists and counts of a table, however few rows a search looks at. */
abstract class SearchContract extends JobContract {
  private static final EventFilter PENDING = EventFilter.status(EventStatus.PENDING);

  private static long count(Admin admin, EventFilter filter) {
    long all = 0;
    @Nullable String after = null;
    do {
      EventCount count = admin.count(filter, after, 100);
      all += count.count();
      after = count.next();
    } while (after != null);
    return all;
  }

  /** As many as are named, in transactions of three: several rows with the same creation time. */
  private List<OutboxRow> written(int number) throws SQLException {
    OutboxReader reader = warmReader();
    for (int i = 0; i < number; i += 3) {
      insert(
          WrittenEvent.of("e" + i, "1"),
          WrittenEvent.of("e" + (i + 1), "2"),
          WrittenEvent.of("e" + (i + 2), "1"));
    }
    return drain(reader);
  }

  @Test
  void listsHaveEachEventOnceInTheOrderOfTheTableWhateverASearchLooksAt() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written(24);
    List<String> order = ids(rows);
    try (Admin admin = admin()) {
      assertThat(names(all(after -> admin.find(EventFilter.ALL, after, 7)))).isEqualTo(order);
      List<FailedRow> failed =
          IntStream.of(1, 2, 3, 4, 5, 11, 17, 22)
              .mapToObj(i -> failed(rows.get(i), i == 4 ? RowState.RETRY : RowState.PARKED))
              .toList();
      List<OutboxRow> done = List.of(rows.get(7), rows.get(8));
      store().settle(session, settlement(done, failed, List.of()));
      for (int searched : new int[] {1, 3, 5, 24}) {
        try (Admin few = searching(searched)) {
          for (EventFilter filter : filters(admin)) {
            List<EventView> expected = admin.find(filter, null, 100).events();
            List<EventView> reversed = new ArrayList<>(expected);
            Collections.reverse(reversed);
            for (int size : new int[] {1, 2, 7}) {
              assertThat(all(after -> few.find(filter, after, size))).isEqualTo(expected);
              assertThat(all(before -> few.latest(filter, before, size))).isEqualTo(reversed);
            }
            assertThat(count(few, filter)).isEqualTo(expected.size());
          }
        }
      }
      assertThatThrownBy(() -> admin.find(EventFilter.ALL, "", 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("position");
    }
  }

  private List<EventFilter> filters(Admin admin) {
    EventKey key = fixture().key("order", "2");
    String type = event(admin, "e13").eventType();
    return List.of(
        EventFilter.ALL,
        PENDING,
        EventFilter.status(EventStatus.PUBLISHED),
        EventFilter.status(EventStatus.PARKED),
        new EventFilter(List.of(), null, type, null, null),
        new EventFilter(List.of(), null, null, key.aggregateType(), null),
        new EventFilter(List.of(), null, null, null, key.aggregateId()),
        new EventFilter(
            List.of(), EventStatus.PENDING, null, key.aggregateType(), key.aggregateId()),
        new EventFilter(List.of(), null, null, null, null, "nack", Instant.EPOCH, null, null, null),
        new EventFilter(List.of(), null, null, null, null, null, null, null, null, "ab".repeat(16)),
        new EventFilter(List.of(), null, "none", null, null));
  }

  @Test
  void aPageThatIsNotFullHasANextOneWhileRowsAreLeft() throws SQLException {
    twelveOfWhichTheLastFourWait();
    try (Admin admin = searching(3)) {
      EventPage first = admin.find(PENDING, null, 5);
      assertThat(first.events()).isEmpty();
      assertThat(first.next()).isNotNull();
      EventPage third = admin.find(PENDING, admin.find(PENDING, first.next(), 5).next(), 5);
      assertThat(names(third.events())).containsExactly("e8");
      assertThat(admin.find(PENDING, third.next(), 5).events()).hasSize(3);
      EventPage last = admin.latest(PENDING, null, 2);
      assertThat(names(last.events())).containsExactly("e11", "e10");
      assertThat(names(admin.latest(PENDING, last.next(), 5).events())).containsExactly("e9", "e8");
      assertThat(admin.find(EventFilter.ids(List.of("none")), null, 5).next()).isNull();
    }
  }

  @Test
  void aCountSaysWhereItGoesOnUnlessItsLimitIsReached() throws SQLException {
    twelveOfWhichTheLastFourWait();
    try (Admin admin = searching(6)) {
      EventCount first = admin.count(PENDING, null, 100);
      assertThat(first.count()).isZero();
      assertThat(admin.count(PENDING, first.next(), 4)).isEqualTo(new EventCount(4, null));
      assertThat(count(admin, PENDING)).isEqualTo(4);
      assertThat(admin.count(PENDING, first.next(), 3)).isEqualTo(new EventCount(3, null));
    }
  }

  @Test
  void aRequestIsForAsManyAsMatchWhereverTheyAre() throws SQLException {
    twelveOfWhichTheLastFourWait();
    try (Admin admin = searching(2)) {
      assertThat(admin.request(Verb.PARK, PENDING, 3, BY)).isEqualTo(3);
      assertThat(requests())
          .extracting(request -> name(Objects.requireNonNull(request.row())))
          .containsExactlyInAnyOrder("e8", "e9", "e10");
      assertThat(admin.request(Verb.PARK, PENDING, 10, BY)).as("without the same twice").isOne();
    }
  }

  @Test
  void aPlanListsWhatMatchesWhereverItIs() throws SQLException {
    twelveOfWhichTheLastFourWait();
    try (Admin admin = searching(2)) {
      Job planned = Jobs.of(admin).plan(Verb.PARK, PENDING, AT_ONCE, "kim");
      assertThat(Jobs.of(admin).events(planned.id(), null, 0, 10))
          .extracting(Job.Event::eventId)
          .containsExactlyElementsOf(ids(admin, "e8", "e9", "e10", "e11"));
    }
  }

  private void twelveOfWhichTheLastFourWait() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written(12);
    FailedRow[] parked =
        rows.subList(0, 8).stream()
            .map(row -> failed(row, RowState.PARKED))
            .toArray(FailedRow[]::new);
    store().settle(session, failures(parked));
  }
}
