package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.LaneStore;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.Standing;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import io.waybill.store.Tally;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What operators see and ask for, in any table. */
abstract class AdminContract extends OperatedContract {
  private static final Instruction BY = new Instruction("kim", "broker is back");

  @Test
  void countsComeFromTheSideTables() throws SQLException {
    try (Admin admin = admin()) {
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

  /** A relay tells the same as {@code status}, whether or not it owns a lane. */
  @Test
  void aRelayAsksTheDatabaseHowTheWholeOutboxStands() throws SQLException {
    LaneStore lanes = lanes();
    assertThat(lanes.oldestUnpublishedMillis()).isZero();
    assertThat(lanes.tally(100)).isEqualTo(new Tally(0, 0, 0));
    states();
    try (Admin admin = admin()) {
      long said = admin.counts().oldestUnpublishedMillis();
      assertThat(lanes.oldestUnpublishedMillis()).isPositive().isCloseTo(said, within(5_000L));
    }
    assertThat(lanes.tally(100)).isEqualTo(new Tally(1, 1, 1));
    assertThat(lanes.tally(1)).isEqualTo(new Tally(1, 1, 1));
  }

  @Test
  void anOutboxIsEmptiedWhileNoRelayLives() throws SQLException {
    Session session = states();
    try (Admin admin = admin()) {
      assertThatThrownBy(() -> admin.empty(BY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("stop them first");
      assertThat(admin.count(EventFilter.ALL, 3)).isEqualTo(3);
      int present = found(admin, EventFilter.ALL).size();
      admin.request(Verb.RETRY, EventFilter.status(EventStatus.DEAD), 10, BY);
      lanes().leave(session);

      assertThat(admin.empty(BY)).isEqualTo(present);

      assertThat(admin.count(EventFilter.ALL, 3)).isZero();
      assertThat(admin.counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0));
      assertThat(admin.audit(Long.MAX_VALUE, 1))
          .singleElement()
          .returns("EMPTY", AuditEntry::verb)
          .returns(present + " event(s) removed", AuditEntry::note);
    }
    written("later");
    try (Admin admin = admin()) {
      assertThat(found(admin, EventFilter.ALL)).containsExactly("later");
    }
  }

  @Test
  void theOldestIsOneThatCouldHaveBeenPublishedByNow() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("parked", "dead");
    store()
        .settle(
            session,
            failures(failed(rows.get(0), RowState.PARKED), failed(rows.get(1), RowState.DEAD)));
    try (Admin admin = admin()) {
      assertThat(admin.counts().oldestUnpublishedMillis()).isZero();
      store().settle(session, failures(failed(rows.get(0), RowState.RETRY)));
      assertThat(admin.counts().oldestUnpublishedMillis()).isPositive();
    }
  }

  @Test
  void eventsAreFoundByEachCondition() throws SQLException {
    states();
    try (Admin admin = admin()) {
      assertThat(found(admin, EventFilter.ALL))
          .containsExactlyElementsOf(present("retry", "parked", "dead", "held", "done", "new"));
      assertThat(found(admin, EventFilter.status(EventStatus.PARKED))).containsExactly("parked");
      assertThat(found(admin, EventFilter.status(EventStatus.DEAD))).containsExactly("dead");
      assertThat(found(admin, EventFilter.status(EventStatus.PUBLISHED)))
          .containsExactlyElementsOf(present("done"));
      assertThat(found(admin, EventFilter.status(EventStatus.PENDING)))
          .containsExactly("retry", "held", "new");
      assertThat(
              found(admin, EventFilter.ids(List.of(id(admin, "new"), id(admin, "dead"), "none"))))
          .containsExactly("dead", "new");
      assertThat(found(admin, EventFilter.ids(List.of("none")))).isEmpty();
      EventKey key = fixture().key("order", "6");
      EventFilter exact = filter(event(admin, "new").eventType(), key.aggregateType(), key);
      assertThat(found(admin, exact)).containsExactly("new");
      assertThat(admin.count(exact, 100)).isEqualTo(1);
      assertThat(found(admin, filter("other", null, null))).isEmpty();
      assertThat(found(admin, filter(null, "other", null))).isEmpty();
      assertThat(found(admin, filter(null, null, new EventKey("order", "none")))).isEmpty();
      assertThat(found(admin, filter(null, null, fixture().key("order", "1"))))
          .containsExactly("retry", "held");
    }
  }

  private static EventFilter filter(
      @Nullable String eventType, @Nullable String aggregateType, @Nullable EventKey key) {
    return new EventFilter(
        List.of(), null, eventType, aggregateType, key == null ? null : key.aggregateId());
  }

  @Test
  void eachStatusHasItsCount() throws SQLException {
    states();
    try (Admin admin = admin()) {
      assertThat(admin.count(EventFilter.status(EventStatus.PENDING), 100)).isEqualTo(3);
      assertThat(admin.count(EventFilter.status(EventStatus.PENDING), 2)).isEqualTo(2);
      assertThat(admin.count(EventFilter.status(EventStatus.PARKED), 100)).isEqualTo(1);
      assertThat(admin.count(EventFilter.status(EventStatus.DEAD), 100)).isEqualTo(1);
      assertThat(admin.count(EventFilter.status(EventStatus.PUBLISHED), 100))
          .isEqualTo(present("done").size());
    }
  }

  @Test
  void listsArePagedInTheOrderOfTheTable() throws SQLException {
    OutboxReader reader = warmReader();
    for (int i = 0; i < 24; i += 3) {
      // One transaction: several rows with the same creation time.
      insert(
          WrittenEvent.of("e" + i, "1"),
          WrittenEvent.of("e" + (i + 1), "1"),
          WrittenEvent.of("e" + (i + 2), "1"));
    }
    List<String> order = ids(drain(reader));
    try (Admin admin = admin()) {
      for (int size : new int[] {1, 2, 7, 24}) {
        assertThat(pages(admin, EventFilter.ALL, size)).isEqualTo(order);
        assertThat(pages(admin, EventFilter.status(EventStatus.PENDING), size)).isEqualTo(order);
      }
      assertThatThrownBy(() -> admin.find(EventFilter.ALL, "", 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("position");
    }
  }

  private List<String> pages(Admin admin, EventFilter filter, int size) {
    List<String> found = new ArrayList<>();
    String after = null;
    List<EventView> page;
    do {
      page = admin.find(filter, after, size);
      page.stream().map(fixture()::name).forEach(found::add);
      after = page.isEmpty() ? after : page.get(page.size() - 1).position();
    } while (!page.isEmpty());
    return found;
  }

  @Test
  void anEventIsShownWithItsFailureAndHistory() throws SQLException {
    states();
    try (Admin admin = admin()) {
      String parked = id(admin, "parked");
      admin.request(Verb.RETRY, EventFilter.ids(List.of(parked)), 10, BY);
      EventDetail detail = admin.show(parked).orElseThrow();
      assertThat(detail.event().status()).isEqualTo(EventStatus.PARKED);
      assertThat(detail.event().attempts()).isEqualTo(4);
      assertThat(detail.event().reason()).isEqualTo("nack");
      assertThat(detail.event().detail()).isEqualTo("said no");
      assertThat(detail.event().createdAt()).isAfter("2020-01-01T00:00:00Z");
      assertThat(detail.event().payloadBytes()).isEqualTo(2);
      assertThat(detail.payload()).containsExactly('{', '}');
      assertThat(detail.audit()).singleElement().returns("kim", AuditEntry::requestedBy);
      assertThat(event(admin, "retry").nextAttemptAt()).isNotNull();
      assertThat(event(admin, "held").held()).isTrue();
      assertThat(admin.show("none")).isEmpty();
    }
  }

  @Test
  void aPublishedEventShowsWhen() throws SQLException {
    needs(Ability.PUBLISHED_TIME);
    states();
    try (Admin admin = admin()) {
      EventView done = event(admin, "done");
      assertThat(done.publishedAt()).isNotNull().isAfterOrEqualTo(done.createdAt());
      assertThat(event(admin, "new").publishedAt()).isNull();
    }
  }

  @Test
  void aDelayedEventShowsUntilWhen() throws SQLException {
    needs(Ability.DELAYS);
    insert(WrittenEvent.of("later", "1").delay(Duration.ofHours(1)), WrittenEvent.of("now", "2"));
    try (Admin admin = admin()) {
      assertThat(event(admin, "later").delayedUntil()).isNotNull();
      assertThat(event(admin, "now").delayedUntil()).isNull();
    }
  }

  @Test
  void aRequestIsCountedFirstMadeOnceAndAuditedWithItsResult() throws SQLException {
    Session session = states();
    EventFilter parked = EventFilter.status(EventStatus.PARKED);
    try (Admin admin = admin()) {
      assertThat(admin.count(parked, 100)).isEqualTo(1);
      assertThat(admin.request(Verb.SKIP, parked, 100, BY)).isEqualTo(1);
      assertThat(admin.request(Verb.SKIP, parked, 100, BY)).isZero();
      assertThat(admin.counts().requests()).isEqualTo(1);
      assertThat(admin.audit(Long.MAX_VALUE, 10)).singleElement().returns(null, AuditEntry::done);

      OperatorRequest request = requests().get(0);
      assertThat(request.verb()).isEqualTo(Verb.SKIP);
      assertThat(request.standing()).isEqualTo(Standing.PARKED);
      assertThat(request.reason()).isEqualTo("broker is back");
      store().settle(session, answers(new HandledRequest(request.requestId(), false, "too late")));

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
      assertThat(admin.carriedOut("REDRIVE", "orders.dlt", notes))
          .extracting(AuditEntry::note, AuditEntry::eventId)
          .containsExactlyInAnyOrder(
              tuple("orders.dlt-0@2", "orders.dlt-0@2's"),
              tuple("orders.dlt-0@3", "orders.dlt-0@3's"));
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
          .extracting(OperatorRequest::standing)
          .containsOnly(Standing.DEAD, Standing.PENDING);
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
      assertThat(request.standing()).isEqualTo(Standing.DEAD);
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
              List.of(new HandledRequest(request.requestId(), true, "tried now"))));
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
          .extracting(OperatorRequest::standing)
          .containsExactly(Standing.DEAD, Standing.DEAD);
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

  @Test
  void relaysAndLanesAreListed() {
    int lanes = allLanes().size();
    Session session = owner();
    try (Admin admin = admin()) {
      assertThat(admin.sessions())
          .singleElement()
          .satisfies(s -> assertThat(s.lanes()).isEqualTo(lanes))
          .satisfies(s -> assertThat(s.leaseMillis()).isPositive());
      assertThat(admin.lanes())
          .hasSize(lanes)
          .extracting(LaneOwner::fence)
          .containsOnly(session.fence());
    }
  }

  private List<OperatorRequest> requests() {
    OutboxReader reader = reader();
    assignAll(reader);
    return reader.requests(100);
  }

  private static Settlement failures(FailedRow... failed) {
    return new Settlement(List.of(), List.of(), List.of(failed), List.of(), List.of());
  }

  private static Settlement answers(HandledRequest handled) {
    return new Settlement(List.of(), List.of(), List.of(), List.of(), List.of(handled));
  }
}
