package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.Instruction;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import io.waybill.testkit.StoreFixture.Ability;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What operators ask for, in any table, and the audit of it. */
abstract class RequestContract extends OperatedContract {
  static final Instruction BY = new Instruction("kim", "broker is back");

  @Test
  void aRequestIsCountedFirstMadeOnceAndAuditedWithItsResult() throws SQLException {
    Session session = states();
    EventFilter parked = EventFilter.status(EventStatus.PARKED);
    try (Admin admin = admin()) {
      assertThat(admin.count(parked, null, 100).count()).isEqualTo(1);
      assertThat(admin.request(Verb.SKIP, parked, 100, BY)).isEqualTo(1);
      assertThat(admin.request(Verb.SKIP, parked, 100, BY)).isZero();
      assertThat(admin.counts().requests()).isEqualTo(1);
      assertThat(admin.audit(Long.MAX_VALUE, 10)).singleElement().returns(null, AuditEntry::done);

      OperatorRequest request = requests().get(0);
      assertThat(request.verb()).isEqualTo(Verb.SKIP);
      assertThat(request.state()).isEqualTo(EventState.PARKED);
      assertThat(request.reason()).isEqualTo("broker is back");
      store().settle(session, answers(request.answer(false, "too late")));

      AuditEntry entry = admin.audit(Long.MAX_VALUE, 10).get(0);
      assertThat(entry.done()).isFalse();
      assertThat(entry.note()).isEqualTo("too late");
      assertThat(entry.eventId()).isEqualTo(id(admin, "parked"));
      assertThat(entry.completedAt()).isAfterOrEqualTo(entry.requestedAt());
    }
  }

  @Test
  void whatAnOperatorDidWithoutARelayIsAudited() {
    try (Admin admin = admin()) {
      admin.record(new AuditNote("REDRIVE", "e1", "orders.dlt", true, "orders.dlt-0@1"), BY);
      admin.record(new AuditNote("REDRIVE", null, "orders.dlt", false, "no route"), BY);
      // Another writer's, which no table takes.
      admin.record(new AuditNote("REDRIVE", "\0" + "x".repeat(200), "s.dlt", true, "done"), BY);

      assertThat(admin.audit(Long.MAX_VALUE, 10))
          .extracting(
              AuditEntry::verb,
              AuditEntry::eventId,
              AuditEntry::destination,
              AuditEntry::requestedBy,
              AuditEntry::reason,
              AuditEntry::done,
              AuditEntry::note)
          .containsExactly(
              tuple("REDRIVE", "?" + "x".repeat(127), "s.dlt", BY.by(), BY.reason(), true, "done"),
              tuple("REDRIVE", null, "orders.dlt", BY.by(), BY.reason(), false, "no route"),
              tuple("REDRIVE", "e1", "orders.dlt", BY.by(), BY.reason(), true, "orders.dlt-0@1"));
    }
  }

  @Test
  void whatWasCarriedOutIsFoundByItsNotes() {
    try (Admin admin = admin()) {
      for (String note : List.of("orders.dlt-0@1", "orders.dlt-0@2", "orders.dlt-0@3")) {
        admin.record(new AuditNote("REDRIVE", note + "'s", "orders.dlt", true, note), BY);
      }
      admin.record(new AuditNote("REDRIVE", "e4", "orders.dlt", false, "orders.dlt-0@4"), BY);
      admin.record(new AuditNote("REDRIVE", "e5", "stock.dlt", true, "orders.dlt-0@5"), BY);
      admin.record(new AuditNote("REPLAY", "e6", "orders.dlt", true, "orders.dlt-0@6"), BY);

      List<String> notes = IntStream.rangeClosed(2, 6).mapToObj(n -> "orders.dlt-0@" + n).toList();
      assertThat(admin.carriedOut("REDRIVE", "orders.dlt", Set.of(), notes))
          .extracting(AuditEntry::note, AuditEntry::eventId)
          .containsExactlyInAnyOrder(
              tuple("orders.dlt-0@2", "orders.dlt-0@2's"),
              tuple("orders.dlt-0@3", "orders.dlt-0@3's"));
      Set<String> ids = Set.of("orders.dlt-0@1's", "orders.dlt-0@3's", "e4");
      assertThat(admin.carriedOut("REDRIVE", "orders.dlt", ids, notes))
          .extracting(AuditEntry::note)
          .containsExactly("orders.dlt-0@3");
    }
  }

  @Test
  void everyVerbReachesTheOwnerOfTheEventsLane() throws SQLException {
    states();
    try (Admin admin = admin()) {
      for (Verb verb : Verb.values()) {
        EventFilter filter = EventFilter.ids(List.of(id(admin, "dead"), id(admin, "new")));
        assertThat(admin.request(verb, filter, 10, BY)).isEqualTo(2);
      }
      List<OperatorRequest> requests = requests();
      assertThat(requests)
          .extracting(OperatorRequest::verb)
          .containsExactlyElementsOf(
              Stream.of(Verb.values()).flatMap(verb -> Stream.of(verb, verb)).toList());
      assertThat(requests)
          .extracting(OperatorRequest::state)
          .containsOnly(EventState.DEAD, EventState.PENDING);
      assertThat(admin.audit(Long.MAX_VALUE, 4))
          .extracting(AuditEntry::id)
          .isSortedAccordingTo((a, b) -> Long.compare(b, a))
          .hasSize(4);
    }
  }

  @Test
  void aDeadEventThatIsRetriedIsPendingAndThenPublished() throws SQLException {
    Session session = states();
    OutboxStore store = store();
    try (Admin admin = admin()) {
      admin.request(Verb.RETRY, EventFilter.status(EventStatus.DEAD), 10, BY);
      OperatorRequest request = requests().get(0);
      assertThat(request.state()).isEqualTo(EventState.DEAD);
      OutboxRow row = Objects.requireNonNull(request.row());
      assertThat(name(row)).isEqualTo("dead");

      // What the engine settles when it takes the event up, and when the broker has it.
      store.settle(
          session,
          new Settlement(
              List.of(),
              List.of(),
              List.of(new FailedRow(row, RowState.RETRY, 0, false, 0, "operator", "again")),
              List.of(),
              List.of(request.answer(true, "tried now"))));
      assertThat(event(admin, "dead").status()).isEqualTo(EventStatus.PENDING);
      store.settle(
          session, new Settlement(List.of(), List.of(row), List.of(), List.of(), List.of()));

      assertThat(found(admin, EventFilter.status(EventStatus.PUBLISHED)))
          .containsExactlyElementsOf(
              has(Ability.KEPT_EVENTS) ? List.of("dead", "done") : List.<String>of());
      assertThat(found(admin, EventFilter.status(EventStatus.DEAD))).isEmpty();
      assertThat(admin.counts().dead()).isZero();
    }
  }

  @Test
  void anEventThatTheTableItselfSaysIsDeadCanBeRetried() throws SQLException {
    needs(Ability.STATE_OF_THE_DEAD);
    states();
    fixture().giveUp("new");
    try (Admin admin = admin()) {
      assertThat(found(admin, EventFilter.status(EventStatus.DEAD))).containsExactly("dead", "new");
      assertThat(found(admin, EventFilter.status(EventStatus.PENDING)))
          .containsExactly("retry", "held");
      assertThat(event(admin, "new").status()).isEqualTo(EventStatus.DEAD);
      admin.request(Verb.RETRY, EventFilter.status(EventStatus.DEAD), 10, BY);
      assertThat(requests())
          .extracting(OperatorRequest::state)
          .containsExactly(EventState.DEAD, EventState.DEAD);
    }
  }

  @Test
  void aRequestNeedsAConditionAReasonAndAName() {
    try (Admin admin = admin()) {
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
    try (Admin admin = admin()) {
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

  List<OperatorRequest> requests() {
    OutboxReader reader = reader();
    assignAll(reader);
    return reader.requests(100);
  }

  private static Settlement answers(HandledRequest handled) {
    return new Settlement(List.of(), List.of(), List.of(), List.of(), List.of(handled));
  }
}
