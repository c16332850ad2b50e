package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.Counts;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.message.EventKey;
import io.waybill.store.FailingDestination;
import io.waybill.store.LaneStore;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.RelayReport;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Tally;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What operators see and ask for, in any table. */
abstract class AdminContract extends SearchContract {
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
      assertThat(admin.count(EventFilter.ALL, null, 3).count()).isEqualTo(3);
      int present = found(admin, EventFilter.ALL).size();
      admin.request(Verb.RETRY, EventFilter.status(EventStatus.DEAD), 10, BY);
      lanes().leave(session);

      assertThat(admin.empty(BY)).isEqualTo(present);

      assertThat(admin.count(EventFilter.ALL, null, 3).count()).isZero();
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
      assertThat(admin.count(exact, null, 100).count()).isEqualTo(1);
      assertThat(found(admin, filter("other", null, null))).isEmpty();
      assertThat(found(admin, filter(null, "other", null))).isEmpty();
      assertThat(found(admin, filter(null, null, new EventKey("order", "none")))).isEmpty();
      assertThat(found(admin, filter(null, null, fixture().key("order", "1"))))
          .containsExactly("retry", "held");
    }
  }

  @Test
  void eventsAreFoundByTheReasonOfTheirFailureAndByTheirTime() throws SQLException {
    states();
    try (Admin admin = admin()) {
      EventView parked = event(admin, "parked");
      String reason = String.valueOf(parked.reason());
      Instant created = parked.createdAt();
      assertThat(found(admin, more(reason, null, null))).contains("parked").doesNotContain("new");
      assertThat(found(admin, more("none", null, null))).isEmpty();
      assertThat(found(admin, more(null, created.plusSeconds(3_600), null))).isEmpty();
      assertThat(found(admin, more(null, null, created.minusSeconds(3_600)))).isEmpty();
      assertThat(found(admin, more(null, created.minusSeconds(3_600), created.plusSeconds(3_600))))
          .containsExactlyElementsOf(found(admin, EventFilter.ALL));
    }
  }

  @Test
  void deadEventsAreRemovedWithANoteUnlessSomebodyAsksAboutThem() throws SQLException {
    states();
    Instruction by = new Instruction("me", "ticket 7");
    EventFilter dead = EventFilter.status(EventStatus.DEAD);
    try (Admin admin = admin()) {
      List<String> others = new ArrayList<>(found(admin, EventFilter.ALL));
      others.remove("dead");
      String id = id(admin, "dead");
      assertThatThrownBy(() -> admin.purge(EventFilter.status(EventStatus.PARKED), 10, by))
          .isInstanceOf(IllegalArgumentException.class);

      assertThat(admin.purge(dead, 10, by)).isEqualTo(1);
      assertThat(found(admin, EventFilter.ALL)).containsExactlyElementsOf(others);
      assertThat(admin.counts().dead()).isZero();
      AuditEntry note = admin.audit(Long.MAX_VALUE, 1).get(0);
      assertThat(note.verb()).isEqualTo("PURGE");
      assertThat(note.eventId()).isEqualTo(id);
      assertThat(note.done()).isTrue();
      assertThat(note.requestedBy()).isEqualTo("me");
      assertThat(note.earlierReason()).isNotBlank();
      assertThat(admin.purge(dead, 10, by)).isZero();
    }
  }

  @Test
  void aDeadEventThatSomebodyAsksAboutIsNotRemoved() throws SQLException {
    states();
    Instruction by = new Instruction("me", "ticket 7");
    EventFilter dead = EventFilter.status(EventStatus.DEAD);
    try (Admin admin = admin()) {
      admin.request(Verb.RETRY, dead, 10, by);
      assertThat(admin.purge(dead, 10, by)).isZero();
      assertThat(found(admin, dead)).containsExactly("dead");
    }
  }

  private static EventFilter more(
      @Nullable String reason, @Nullable Instant since, @Nullable Instant before) {
    return new EventFilter(List.of(), null, null, null, null, reason, since, before, null, null);
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
      assertThat(admin.count(EventFilter.status(EventStatus.PENDING), null, 100).count())
          .isEqualTo(3);
      assertThat(admin.count(EventFilter.status(EventStatus.PENDING), null, 2).count())
          .isEqualTo(2);
      assertThat(admin.count(EventFilter.status(EventStatus.PARKED), null, 100).count())
          .isEqualTo(1);
      assertThat(admin.count(EventFilter.status(EventStatus.DEAD), null, 100).count()).isEqualTo(1);
      assertThat(admin.count(EventFilter.status(EventStatus.PUBLISHED), null, 100).count())
          .isEqualTo(present("done").size());
    }
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
  void eventsThatBlockTheirKeysAreListedWithWhatIsBehind() throws SQLException {
    states();
    try (Admin admin = admin()) {
      List<EventView> heads = admin.blocking(null, 10);
      assertThat(heads).extracting(fixture()::name).containsExactly("retry", "parked");
      assertThat(heads).extracting(head -> admin.behind(head, 10)).containsExactly(1L, 0L);
      assertThat(heads.get(1).reason()).isEqualTo("nack");
      assertThat(heads.get(1).failedAt()).isNotNull();
      String first = admin.blocking(null, 1).get(0).position();
      assertThat(admin.blocking(first, 10)).containsExactly(heads.get(1));
      assertThatThrownBy(() -> admin.blocking("nowhere", 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("position");
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

  @Test
  void whatARelaySaysOfDestinationsIsShown() {
    Session session = owner();
    List<FailingDestination> failing =
        List.of(
            new FailingDestination(FailingDestination.BROKER, "broker-unavailable", "away", 7),
            new FailingDestination("orders/'\"\u00e9", "nack", "it said \"no\"", 60_000));
    try (Admin admin = admin()) {
      assertThat(admin.sessions()).singleElement().returns(List.of(), SessionView::failing);
      assertThat(lanes().renew(session, Duration.ofMinutes(1), new RelayReport(false, failing)))
          .isTrue();
      assertThat(admin.sessions()).singleElement().returns(failing, SessionView::failing);
      assertThat(lanes().renew(session.renewed(), Duration.ofMinutes(1))).isTrue();
      assertThat(admin.sessions()).singleElement().returns(List.of(), SessionView::failing);
    }
  }
}
