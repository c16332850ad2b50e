package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Groups of failures, in any table. */
abstract class FailureGroupContract extends RequestContract {
  @Test
  void failuresAreGroupedByTypeDestinationAndReason() throws SQLException {
    Session session = states();
    List<OutboxRow> more =
        written("gone", "huge", "late", "lost").stream().map(FailureGroupContract::placed).toList();
    store()
        .settle(
            session,
            settlement(
                List.of(),
                List.of(
                    parked(more.get(0), "topic-missing", "audit"),
                    parked(more.get(1), "too-large", "orders"),
                    parked(more.get(2), "topic-missing", "audit"),
                    parked(more.get(3), "topic-missing", "orders")),
                List.of()));
    try (Admin admin = admin()) {
      List<FailureGroup> groups = admin.failures(EventStatus.PARKED, null, 10, 100);
      assertThat(groups)
          .extracting(g -> g.sample().reason() + " " + g.sample().destination() + " " + g.count())
          .containsExactlyInAnyOrder(
              "nack  1", "topic-missing audit 2", "too-large orders 1", "topic-missing orders 1");
      FailureGroup two =
          groups.stream().filter(group -> group.count() == 2).findFirst().orElseThrow();
      assertThat(fixture().name(two.sample())).isEqualTo("gone");
      assertThat(two.first()).isBeforeOrEqualTo(two.last());
      assertThat(found(admin, FailureGroup.filter(two.id()))).containsExactly("gone", "late");
      assertThat(admin.count(FailureGroup.filter(two.id()), null, 10).count()).isEqualTo(2);
      assertThat(admin.failures(EventStatus.PARKED, null, 10, 1))
          .allMatch(group -> group.count() == 1);

      List<FailureGroup> pages = new ArrayList<>(admin.failures(EventStatus.PARKED, null, 3, 100));
      pages.addAll(admin.failures(EventStatus.PARKED, pages.get(2).group(), 3, 100));
      assertThat(pages).isEqualTo(groups);
      assertThat(sampled(admin, EventStatus.PENDING)).containsExactly("retry");
      assertThat(sampled(admin, EventStatus.DEAD)).containsExactly("dead");
      assertThatThrownBy(() -> admin.failures(EventStatus.PUBLISHED, null, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("status");
    }
  }

  @Test
  void aGroupIsCountedUpToANumber() throws SQLException {
    Session session = states();
    park(session, written("one", "two", "three"));
    try (Admin admin = admin()) {
      for (int most = 1; most < 5; most++) {
        assertThat(admin.failures(EventStatus.PARKED, null, 10, most))
            .extracting(group -> group.sample().reason() + " " + group.count())
            .containsExactlyInAnyOrder("nack 1", "too-large " + Math.min(3, most));
      }
    }
  }

  @Test
  void aGroupIsShownByItsFirstEventThatIsLeft() throws SQLException {
    Session session = states();
    park(session, written("gone", "lost"));
    try (Admin admin = admin()) {
      assertThat(sampled(admin, EventStatus.PARKED)).containsExactlyInAnyOrder("parked", "gone");
      fixture().renumber();
      assertThat(sampled(admin, EventStatus.PARKED)).isEmpty();

      // Of those with the old numbers the records know nothing.
      List<OutboxRow> rows = written("1", "2", "3", "4", "5", "6", "7", "8", "9", "late", "later");
      park(session, rows.subList(9, 11));
      assertThat(sampled(admin, EventStatus.PARKED)).containsExactly("late");
      assertThat(admin.failures(EventStatus.PARKED, null, 1, 10))
          .extracting(group -> fixture().name(group.sample()))
          .containsExactly("late");
    }
  }

  private void park(Session session, List<OutboxRow> rows) throws SQLException {
    List<FailedRow> parked =
        rows.stream().map(row -> parked(placed(row), "too-large", "orders")).toList();
    store().settle(session, settlement(List.of(), parked, List.of()));
  }

  /** The same with a type that others have. */
  private static OutboxRow placed(OutboxRow row) {
    return new OutboxRow(
        row.rowId(),
        row.lane(),
        row.eventId(),
        "placed",
        row.eventVersion(),
        row.key(),
        row.payload(),
        row.contentType(),
        row.headersJson(),
        row.correlationId(),
        row.causationId(),
        row.traceparent(),
        row.createdAtMicros(),
        row.readAtMicros(),
        row.replay(),
        row.storedBytes(),
        row.whole(),
        row.sends());
  }

  private static FailedRow parked(OutboxRow row, String reason, String destination) {
    return new FailedRow(row, RowState.PARKED, 1, false, 0, reason, "no", destination);
  }

  private List<String> sampled(Admin admin, EventStatus status) {
    return admin.failures(status, null, 10, 10).stream()
        .map(group -> fixture().name(group.sample()))
        .toList();
  }
}
