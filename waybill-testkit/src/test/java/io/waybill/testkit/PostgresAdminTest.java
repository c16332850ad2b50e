package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.jdbc.OnPublished;
import io.waybill.jdbc.Retention;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PostgresAdminTest extends StoreContract {
  private static final PostgresFixture FIXTURE = new PostgresFixture(OnPublished.KEEP);
  private static final Instruction BY = new Instruction("kim", "broker is back");

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Test
  void countsComeFromTheSideTables() throws SQLException {
    try (Admin admin = FIXTURE.admin()) {
      assertThat(admin.counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0));
      states();
      Counts counts = admin.counts();
      assertThat(counts.retry()).isEqualTo(1);
      assertThat(counts.parked()).isEqualTo(1);
      assertThat(counts.dead()).isEqualTo(1);
      assertThat(counts.held()).isEqualTo(1);
      assertThat(counts.requests()).isZero();
      assertThat(counts.oldestUnpublishedMillis()).isPositive();
    }
  }

  @Test
  void eventsAreFoundByEachCondition() throws SQLException {
    states();
    try (Admin admin = FIXTURE.admin()) {
      assertThat(found(admin, EventFilter.ALL))
          .containsExactly("retry", "parked", "dead", "held", "done", "new");
      assertThat(found(admin, EventFilter.status(EventStatus.PARKED))).containsExactly("parked");
      assertThat(found(admin, EventFilter.status(EventStatus.DEAD))).containsExactly("dead");
      assertThat(found(admin, EventFilter.status(EventStatus.PUBLISHED))).containsExactly("done");
      assertThat(found(admin, EventFilter.status(EventStatus.PENDING)))
          .containsExactly("retry", "held", "new");
      assertThat(found(admin, EventFilter.ids(List.of("new", "dead", "none"))))
          .containsExactly("dead", "new");
      assertThat(found(admin, new EventFilter(List.of(), null, "order.placed", "order", "5")))
          .containsExactly("done");
      assertThat(found(admin, new EventFilter(List.of(), null, "other", null, null))).isEmpty();
    }
  }

  @Test
  void listsArePagedByRow() throws SQLException {
    insert(
        IntStream.range(0, 25)
            .mapToObj(i -> WrittenEvent.of("e" + i, "1"))
            .toArray(WrittenEvent[]::new));
    try (Admin admin = FIXTURE.admin()) {
      List<EventView> first = admin.find(EventFilter.ALL, 0, 10);
      List<EventView> second = admin.find(EventFilter.ALL, first.get(9).rowId(), 10);
      assertThat(first).extracting(EventView::eventId).startsWith("e0").endsWith("e9");
      assertThat(second).extracting(EventView::eventId).startsWith("e10").endsWith("e19");
    }
  }

  @Test
  void anEventIsShownWithItsFailureAndHistory() throws SQLException {
    states();
    try (Admin admin = FIXTURE.admin()) {
      admin.request(Verb.RETRY, EventFilter.ids(List.of("parked")), 10, BY);
      EventDetail detail = admin.show("parked").orElseThrow();
      assertThat(detail.event().status()).isEqualTo(EventStatus.PARKED);
      assertThat(detail.event().attempts()).isEqualTo(4);
      assertThat(detail.event().reason()).isEqualTo("nack");
      assertThat(detail.event().payloadBytes()).isEqualTo(2);
      assertThat(detail.payload()).containsExactly('{', '}');
      assertThat(detail.audit()).singleElement().returns("kim", AuditEntry::requestedBy);
      assertThat(admin.show("none")).isEmpty();
    }
  }

  @Test
  void aRequestIsCountedFirstMadeOnceAndAuditedWithItsResult() throws SQLException {
    Session session = states();
    EventFilter parked = EventFilter.status(EventStatus.PARKED);
    try (Admin admin = FIXTURE.admin()) {
      assertThat(admin.count(parked, 100)).isEqualTo(1);
      assertThat(admin.request(Verb.SKIP, parked, 100, BY)).isEqualTo(1);
      assertThat(admin.request(Verb.SKIP, parked, 100, BY)).isZero();
      assertThat(admin.counts().requests()).isEqualTo(1);
      assertThat(admin.audit(Long.MAX_VALUE, 10)).singleElement().returns(null, AuditEntry::done);

      OutboxReader reader = reader();
      assignAll(reader);
      OperatorRequest request = reader.requests(10).get(0);
      assertThat(request.verb()).isEqualTo(Verb.SKIP);
      assertThat(request.reason()).isEqualTo("broker is back");
      HandledRequest handled = new HandledRequest(request.requestId(), false, "too late");
      store()
          .settle(
              session,
              new Settlement(List.of(), List.of(), List.of(), List.of(), List.of(handled)));

      AuditEntry entry = admin.audit(Long.MAX_VALUE, 10).get(0);
      assertThat(entry.done()).isFalse();
      assertThat(entry.note()).isEqualTo("too late");
      assertThat(entry.eventId()).isEqualTo("parked");
      assertThat(entry.completedAt()).isAfterOrEqualTo(entry.requestedAt());
    }
  }

  @Test
  void aRequestNeedsAConditionAReasonAndAName() {
    try (Admin admin = FIXTURE.admin()) {
      assertThatThrownBy(() -> admin.request(Verb.SKIP, EventFilter.ALL, 10, BY))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("condition");
      assertThatThrownBy(() -> new Instruction("kim", " ")).hasMessageContaining("reason");
      assertThatThrownBy(() -> new Instruction("", "why")).hasMessageContaining("name");
    }
  }

  @Test
  void pausedDestinationsReachTheReaderAndTheAudit() {
    OutboxReader reader = reader();
    try (Admin admin = FIXTURE.admin()) {
      admin.pause("orders", true, BY);
      admin.pause("invoices", true, BY);
      admin.pause("orders", false, BY);
      assertThat(reader.pausedDestinations()).containsExactly("invoices");
      assertThat(admin.destinations())
          .extracting(DestinationView::name)
          .containsExactly("invoices", "orders");
      assertThat(admin.audit(Long.MAX_VALUE, 10))
          .extracting(AuditEntry::verb)
          .containsExactly("RESUME", "PAUSE", "PAUSE");
    }
  }

  @Test
  void relaysAndLanesAreListed() {
    Session session = owner();
    try (Admin admin = FIXTURE.admin()) {
      assertThat(admin.sessions())
          .singleElement()
          .satisfies(s -> assertThat(s.lanes()).isEqualTo(64))
          .satisfies(s -> assertThat(s.leaseMillis()).isPositive());
      assertThat(admin.lanes())
          .hasSize(64)
          .extracting(LaneOwner::fence)
          .containsOnly(session.fence());
    }
  }

  @Test
  void retentionRemovesPublishedRowsOnly() throws SQLException {
    states();
    try (Admin admin = FIXTURE.admin();
        Retention retention = FIXTURE.retention()) {
      assertThat(retention.purge(Duration.ofDays(1), 1000)).isZero();
      assertThat(found(admin, EventFilter.ALL)).hasSize(6);
      assertThat(retention.purge(Duration.ZERO, 1000)).isZero();
      assertThat(retention.purge(Duration.ZERO, 1000)).isEqualTo(1);
      assertThat(found(admin, EventFilter.ALL))
          .containsExactly("retry", "parked", "dead", "held", "new");
    }
  }

  @Test
  void retentionGoesOnBehindRowsThatAreTooYoung() throws SQLException {
    Session session = owner();
    OutboxReader reader = warmReader();
    insert(
        IntStream.range(0, 10)
            .mapToObj(i -> WrittenEvent.of("e" + i, "1"))
            .toArray(WrittenEvent[]::new));
    store().settle(session, Settlement.published(drain(reader)));
    FIXTURE.publishedInTheFuture("e0", "e1", "e2");
    try (Admin admin = FIXTURE.admin();
        Retention retention = FIXTURE.retention()) {
      int removed = 0;
      for (int i = 0; i < 8; i++) {
        removed += retention.purge(Duration.ZERO, 2);
      }
      assertThat(removed).isEqualTo(7);
      assertThat(found(admin, EventFilter.ALL)).containsExactly("e0", "e1", "e2");
    }
  }

  private static List<String> found(Admin admin, EventFilter filter) {
    return admin.find(filter, 0, 100).stream().map(EventView::eventId).toList();
  }

  private Session states() throws SQLException {
    Session session = owner();
    OutboxReader reader = warmReader();
    insert(
        WrittenEvent.of("retry", "1"),
        WrittenEvent.of("parked", "2"),
        WrittenEvent.of("dead", "3"),
        WrittenEvent.of("held", "1"),
        WrittenEvent.of("done", "5"),
        WrittenEvent.of("new", "6"));
    List<OutboxRow> rows = drain(reader);
    List<FailedRow> failed =
        List.of(
            new FailedRow(rows.get(0), RowState.RETRY, 1, true, 60_000, "timeout", "no answer"),
            new FailedRow(rows.get(1), RowState.PARKED, 4, false, 0, "nack", "said no"),
            new FailedRow(rows.get(2), RowState.DEAD, 4, false, 0, "nack", "said no"));
    OutboxStore store = store();
    store.settle(
        session,
        new Settlement(rows.subList(4, 5), List.of(), failed, rows.subList(3, 4), List.of()));
    assertThat(Set.copyOf(ids(rows))).hasSize(6);
    return session;
  }
}
