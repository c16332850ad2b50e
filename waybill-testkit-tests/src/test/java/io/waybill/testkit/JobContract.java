package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditNote;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.EventOutcome;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.Job.Outcome;
import io.waybill.internal.jdbc.operator.Job.State;
import io.waybill.internal.jdbc.operator.JobLetters;
import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.Jobs.JobStateException;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.internal.jdbc.operator.RunningJob.JobTakenException;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.testkit.StoreFixture.Ability;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Planned changes of events and those that carry them out, on any table. */
abstract class JobContract extends CorrectionContract {
  @Test
  void aPlanChangesNothingAndItsRunGivesEachEventAnOutcome() throws SQLException {
    Session session = states();
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      Job planned = plan(admin, Verb.SKIP, AT_ONCE, "new", "parked");
      assertThat(planned.state()).isEqualTo(State.PLANNED);
      assertThat(planned.matched()).isEqualTo(2);
      assertThat(requests()).isEmpty();
      assertThat(jobs.due("a")).isEmpty();

      jobs.run(planned.id(), BY);
      assertThat(jobs.due("a")).containsExactly(planned.id());
      RunningJob running = jobs.take(planned.id(), "a").orElseThrow();
      JobRun run = running.run();
      assertThat(steps(run, 0, 2)).isFalse();
      assertThat(requests()).extracting(OperatorRequest::verb).containsOnly(Verb.SKIP).hasSize(2);
      assertThat(admin.audit(Long.MAX_VALUE, 10))
          .allMatch(entry -> entry.requestedBy().equals(BY.by()));

      List<OperatorRequest> asked = requests();
      settle(session, asked.get(0).answer(true, "dead now"));
      settle(session, asked.get(1).answer(false, "too late"));
      assertThat(steps(run, 2, 4)).isTrue();
      running.end(run.progress().stopped());

      Job ended = jobs.find(planned.id()).orElseThrow();
      assertThat(ended.state()).isEqualTo(State.DONE);
      assertThat(ended.tally()).isEqualTo(new JobRun.Tally(1, 0, 1, 0, 0));
      assertThat(ended.endedAt()).isNotNull();
      assertThat(jobs.events(planned.id(), null, 0, 10))
          .extracting(Job.Event::outcome)
          .containsExactly(Outcome.DONE, Outcome.REFUSED);
      assertThat(jobs.events(planned.id(), Outcome.REFUSED, 0, 10))
          .singleElement()
          .returns("too late", Job.Event::note);
      assertThat(jobs.due("a")).isEmpty();
    }
  }

  @Test
  void whatHasChangedSinceThePlanIsSkippedAndSaysWhy() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows = written("first", "second", "third");
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      Job planned = plan(admin, Verb.PARK, AT_ONCE, "first", "second", "third");
      store().settle(session, settlement(List.of(rows.get(0)), List.of(), List.of()));
      admin.request(Verb.PARK, EventFilter.ids(List.of(id(admin, "second"))), 1, BY);
      jobs.run(planned.id(), BY);
      JobRun run = jobs.take(planned.id(), "a").orElseThrow().run();
      assertThat(steps(run, 0, 2)).isFalse();

      assertThat(requests()).hasSize(2);
      assertThat(jobs.events(planned.id(), Outcome.SKIPPED, 0, 10))
          .extracting(Job.Event::note)
          .containsExactly(
              has(Ability.KEPT_EVENTS)
                  ? "it was PENDING when this was planned, and is PUBLISHED"
                  : "it is gone",
              "the same is requested already, or it has failed in another way");
      assertThat(run.progress().tally().skipped()).isEqualTo(2);
      assertThat(run.progress().open()).isEqualTo(1);
    }
  }

  @Test
  void anEventOfAnotherGroupThanThatOfThePlanIsNotAskedFor() throws SQLException {
    Session session = states();
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      String group = admin.failures(EventStatus.PARKED, null, 10, 10).get(0).id();
      Job planned = jobs.plan(Verb.RETRY, FailureGroup.filter(group), AT_ONCE, "kim", 10_000);
      assertThat(planned.matched()).isEqualTo(1);
      assertThat(planned.filter()).isEqualTo(FailureGroup.filter(group));

      // It has failed again meanwhile, for another reason, and is parked as before.
      admin.request(Verb.RETRY, EventFilter.status(EventStatus.PARKED), 1, BY);
      OperatorRequest request = requests().get(0);
      OutboxRow parked = Objects.requireNonNull(request.row());
      FailedRow again =
          new FailedRow(parked, RowState.PARKED, 1, false, 0, "too-large", "no", "elsewhere");
      store().settle(session, settlement(List.of(), List.of(again), List.of()));
      settle(session, request.answer(true, "tried now"));
      jobs.run(planned.id(), BY);
      JobRun run = jobs.take(planned.id(), "a").orElseThrow().run();
      assertThat(steps(run, 0, 3)).isTrue();
      assertThat(run.progress().tally()).isEqualTo(new JobRun.Tally(0, 0, 0, 1, 0));
      assertThat(requests()).isEmpty();
    }
  }

  @Test
  void whatIsPublishedIsNotRetriedForASuccess() throws SQLException {
    states();
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      Job planned =
          plan(admin, Verb.RETRY, AT_ONCE, present("done", "parked").toArray(String[]::new));
      jobs.run(planned.id(), BY);
      JobRun run = jobs.take(planned.id(), "a").orElseThrow().run();
      assertThat(steps(run, 0, 2)).isFalse();
      assertThat(requests()).hasSize(1);
      assertThat(jobs.events(planned.id(), Outcome.SKIPPED, 0, 10))
          .extracting(Job.Event::note)
          .containsExactlyElementsOf(
              has(Ability.KEPT_EVENTS) ? List.of("it is published") : List.<String>of());
    }
  }

  @Test
  void anotherProcessGoesOnWithWhatIsRecorded() throws SQLException {
    Session session = owner();
    written("first", "second", "third");
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      Job planned = plan(admin, Verb.PARK, ONE_FIRST, "first", "second", "third");
      jobs.run(planned.id(), BY);
      RunningJob first = jobs.take(planned.id(), "a").orElseThrow();
      JobRun run = first.run();
      assertThat(run.step(0)).isFalse();
      assertThat(requests()).hasSize(1);
      assertThat(jobs.take(planned.id(), "b")).as("while a has it").isEmpty();
      assertThat(jobs.due("b")).isEmpty();

      first.leave();
      RunningJob second = jobs.take(planned.id(), "b").orElseThrow();
      JobRun rest = second.run();
      assertThat(rest.step(0)).isFalse();
      assertThat(rest.progress().open()).isEqualTo(1);
      assertThat(requests()).as("nothing is asked for twice").hasSize(1);
      settle(session, requests().get(0).answer(true, "parked"));
      assertThatThrownBy(() -> run.step(SECOND)).isInstanceOf(JobTakenException.class);

      assertThat(steps(rest, 0, 3)).isFalse();
      assertThat(requests()).hasSize(2);
      requests().forEach(each -> settle(session, each.answer(true, "parked")));
      assertThat(steps(rest, 3, 5)).isTrue();
      second.end(rest.progress().stopped());
      assertThat(jobs.find(planned.id()).orElseThrow().tally())
          .isEqualTo(new JobRun.Tally(3, 0, 0, 0, 0));
      assertThat(admin.audit(Long.MAX_VALUE, 10)).hasSize(3);
    }
  }

  @Test
  void aPausedJobAsksForNothingMoreUntilItIsResumed() throws SQLException {
    Session session = owner();
    written("first", "second");
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      Job planned = plan(admin, Verb.PARK, ONE_FIRST, "first", "second");
      assertThatThrownBy(() -> jobs.pause(planned.id(), "kim"))
          .isInstanceOf(JobStateException.class)
          .hasMessageContainingAll("is PLANNED", "must be RUNNING");
      jobs.run(planned.id(), BY);
      JobRun run = jobs.take(planned.id(), "a").orElseThrow().run();
      assertThat(run.step(0)).isFalse();
      assertThat(jobs.pause(planned.id(), "kim").orElseThrow().note()).isEqualTo("paused by kim");

      settle(session, requests().get(0).answer(true, "parked"));
      assertThatThrownBy(() -> steps(run, 0, 3)).isInstanceOf(JobTakenException.class);
      assertThat(requests()).isEmpty();
      Job paused = jobs.find(planned.id()).orElseThrow();
      assertThat(paused.tally())
          .as("what was asked for has its outcome")
          .returns(1, t -> t.succeeded());

      jobs.resume(planned.id(), "kim");
      RunningJob again = jobs.take(planned.id(), "a").orElseThrow();
      JobRun rest = again.run();
      assertThat(steps(rest, 0, 3)).isFalse();
      assertThat(requests()).hasSize(1);
      assertThat(jobs.cancel(planned.id(), "kim").orElseThrow().state()).isEqualTo(State.CANCELLED);
      assertThat(jobs.due("a")).as("its event has no outcome").containsExactly(planned.id());
      settle(session, requests().get(0).answer(true, "parked"));
      assertThat(again.outcomes(3 * SECOND)).hasSize(1);
      assertThat(jobs.due("a")).isEmpty();
    }
  }

  @Test
  void whatEndedOrWasRunByAnotherIsNotRunAgain() throws SQLException {
    owner();
    written("first");
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      Job planned = plan(admin, Verb.PARK, AT_ONCE, "first");
      assertThat(jobs.run(planned.id(), BY).orElseThrow().state()).isEqualTo(State.RUNNING);
      assertThat(jobs.run(planned.id(), BY).orElseThrow().state()).isEqualTo(State.RUNNING);
      assertThatThrownBy(() -> jobs.run(planned.id(), new Instruction("lee", "me too")))
          .isInstanceOf(JobStateException.class);
      assertThat(jobs.run(planned.id() + 1, BY)).isEmpty();
      jobs.cancel(planned.id(), "kim");
      assertThatThrownBy(() -> jobs.resume(planned.id(), "kim"))
          .isInstanceOf(JobStateException.class)
          .hasMessageContaining("is CANCELLED");
      assertThat(jobs.list(Long.MAX_VALUE, 10)).extracting(Job::id).containsExactly(planned.id());
      assertThat(jobs.list(planned.id(), 10)).isEmpty();
      assertThat(jobs.clean()).as("nothing is old").isZero();
    }
  }

  @Test
  void eventsThatCouldNotBeListedAtOnceAreFoundWhileItRunsAndLaterOnesAreNot() throws SQLException {
    owner();
    written("first", "second", "third", "fourth");
    try (Admin admin = searching(1)) {
      Jobs jobs = Jobs.of(admin);
      EventFilter pending = EventFilter.status(EventStatus.PENDING);
      Job planned = jobs.plan(Verb.PARK, pending, AT_ONCE, "kim", 2);
      assertThat(planned.matched()).isEqualTo(2);
      assertThat(planned.more()).isTrue();
      written("later");

      jobs.run(planned.id(), BY);
      JobRun run = jobs.take(planned.id(), "a").orElseThrow().run();
      assertThat(steps(run, 0, 3)).isFalse();
      assertThat(jobs.events(planned.id(), null, 0, 10))
          .extracting(Job.Event::eventId)
          .containsExactlyElementsOf(ids(admin, "first", "second", "third", "fourth"));
      assertThat(requests()).hasSize(4);
    }
  }

  /** Dead letters are sent by the process that has the job; the tables keep what became of each. */
  @Test
  void lettersOfARedriveHaveTheirOutcomesAndAnotherProcessGoesOn() throws SQLException {
    states();
    try (Admin admin = admin()) {
      Jobs jobs = Jobs.of(admin);
      List<Letter> planned =
          List.of("e1", "e2", "e3", "e4").stream()
              .map(id -> new Letter(0, id, "orders.dlt-0@" + id, "payment", 1))
              .toList();
      Job job =
          jobs.plan(new JobLetters.Plan("orders", false, planned, null, true), ONE_FIRST, "kim");
      assertThat(job.source()).isEqualTo("orders");
      assertThat(job.verb()).isEqualTo("REDRIVE");
      assertThat(job.more()).isTrue();
      jobs.run(job.id(), BY);

      RunningJob first = jobs.take(job.id(), "a").orElseThrow();
      JobLetters letters = first.letters();
      assertThat(letters.next(2)).extracting(Letter::sentId).containsExactly("e1 1", "e2 1");
      letters.claim();
      letters.sent(letters.next(1).get(0), note("e1", true));
      letters.skipped(letters.next(1).get(0), "gone");
      assertThat(letters.processed("payment", List.of("e1 1"))).as("no inbox").isEmpty();
      first.leave();

      JobLetters second = jobs.take(job.id(), "b").orElseThrow().letters();
      assertThatThrownBy(letters::claim).isInstanceOf(JobTakenException.class);
      assertThat(second.sentPlaces()).containsExactly("orders.dlt-0@e1");
      assertThat(second.sent()).extracting(each -> each.letter().eventId()).containsExactly("e1");
      second.sent(second.next(1).get(0), note("e3", true));
      second.refused(second.next(1).get(0), note("e4", false), "nack");
      assertThat(second.next(1)).isEmpty();
      assertThat(second.sentByOthers("orders.dlt", second.all()))
          .containsExactlyInAnyOrder("orders.dlt-0@e1", "orders.dlt-0@e3");
      second.settle(
          Map.of(
              1, new EventOutcome(EventOutcome.Kind.FAILED, "no-account", null),
              3, new EventOutcome(EventOutcome.Kind.UNCLEAR, "elsewhere", null)));

      assertThat(jobs.find(job.id()).orElseThrow())
          .returns(new JobRun.Tally(0, 1, 1, 1, 1), Job::tally)
          .returns(0, Job::open);
      assertThat(jobs.events(job.id(), null, 0, 10))
          .extracting(Job.Event::outcome)
          .containsExactly(Outcome.FAILED, Outcome.SKIPPED, Outcome.UNCLEAR, Outcome.REFUSED);
      assertThat(admin.audit(Long.MAX_VALUE, 10))
          .extracting(entry -> entry.eventId() + " " + entry.done())
          .containsExactly("e4 false", "e3 true", "e1 true");
      jobs.pause(job.id(), "kim");
      assertThatThrownBy(second::claim).isInstanceOf(JobTakenException.class);
    }
  }

  private static AuditNote note(String id, boolean done) {
    return new AuditNote("REDRIVE", id, "orders.dlt", done, "orders.dlt-0@" + id);
  }
}
