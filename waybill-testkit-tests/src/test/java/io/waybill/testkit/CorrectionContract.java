package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Correction;
import io.waybill.internal.jdbc.operator.CorrectionException;
import io.waybill.internal.jdbc.operator.Corrections;
import io.waybill.internal.jdbc.operator.Corrections.Result;
import io.waybill.internal.jdbc.operator.Corrections.State;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.Jobs.JobStateException;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.message.EventKey;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Events that cannot be published are buried, and corrected ones appended, in any table. */
abstract class CorrectionContract extends JobUpkeepContract {
  private static final byte[] PAYLOAD = "{\"n\":1}".getBytes(StandardCharsets.UTF_8);
  private static final Correction FIXED = new Correction(PAYLOAD, null, null, Map.of());

  /** Does what the process does that carries a job out, until its request is made. */
  private RunningJob asked(Admin admin, long job) {
    RunningJob running = Jobs.of(admin).take(job, "a").orElseThrow();
    assertThat(running.ask(1).numbers()).hasSize(1);
    return running;
  }

  /** Does what a relay does that buries the event. */
  private void buried(Session session) {
    OperatorRequest request = requests().get(0);
    assertThat(request.verb()).isEqualTo(Verb.BURY);
    OutboxRow row = Objects.requireNonNull(request.row());
    store()
        .settle(
            session,
            new Settlement(
                List.of(),
                List.of(),
                List.of(failed(row, RowState.DEAD)),
                List.of(),
                List.of(request.answer(true, "buried"))));
  }

  private static Result run(Admin admin, long job) {
    return Corrections.of(admin).run(job, FIXED, BY).orElseThrow();
  }

  private long planned(Admin admin, String name) {
    Corrections corrections = Corrections.of(admin);
    String id = id(admin, name);
    assertThat(corrections.check(id, FIXED, 10)).isPresent();
    return corrections.plan(id, BY.by()).id();
  }

  @Test
  void theCorrectedEventFollowsOnceTheOtherIsBuried() throws SQLException {
    Session session = states();
    OutboxReader reader = warmReader();
    try (Admin admin = admin()) {
      EventView parked = event(admin, "parked");
      int before = found(admin, EventFilter.ALL).size();
      Corrections corrections = Corrections.of(admin);
      assertThat(corrections.check(parked.eventId(), FIXED, 10))
          .hasValueSatisfying(plan -> assertThat(plan.event()).isEqualTo(parked))
          .hasValueSatisfying(plan -> assertThat(plan.behind()).isZero());
      assertThat(found(admin, EventFilter.ALL)).as("a check leaves nothing").hasSize(before);
      assertThat(corrections.check("none", FIXED, 10)).isEmpty();
      Job job = corrections.plan(parked.eventId(), BY.by());
      assertThat(requests()).isEmpty();

      assertThat(run(admin, job.id()).state()).isEqualTo(State.WAITING);
      RunningJob running = asked(admin, job.id());
      assertThat(run(admin, job.id()).state()).isEqualTo(State.WAITING);
      assertThat(found(admin, EventFilter.ALL)).hasSize(before);
      buried(session);
      assertThat(running.outcomes(SECOND)).hasSize(1);

      Result done = run(admin, job.id());
      assertThat(done.state()).isEqualTo(State.DONE);
      String corrected = Objects.requireNonNull(done.correctedBy());
      assertThat(run(admin, job.id())).as("the same again").isEqualTo(done);
      assertThat(found(admin, EventFilter.ALL)).hasSize(before + 1);

      EventDetail copy = admin.show(corrected).orElseThrow();
      assertThat(compact(copy.payload())).isEqualTo(compact(PAYLOAD));
      assertThat(copy.event().status()).isEqualTo(EventStatus.PENDING);
      assertThat(copy.event().eventType()).isEqualTo(parked.eventType());
      assertThat(copy.event().aggregateId()).isEqualTo(parked.aggregateId());
      assertThat(copy.event().createdAt()).isAfter(parked.createdAt());
      assertThat(copy.audit())
          .singleElement()
          .returns("APPEND", AuditEntry::verb)
          .returns("for " + parked.eventId(), AuditEntry::note)
          .returns(BY.reason(), AuditEntry::reason);
      assertThat(admin.show(parked.eventId()).orElseThrow().audit().get(0))
          .returns("CORRECT", AuditEntry::verb)
          .returns(corrected, AuditEntry::note);
      List<OutboxRow> rows = drain(reader);
      assertThat(rows).extracting(OutboxRow::eventId).containsExactly(corrected);
      EventKey key = rows.get(0).key();
      assertThat(key).isNotNull();
      assertThat(compact(rows.get(0).payload())).isEqualTo(compact(PAYLOAD));

      assertThatThrownBy(() -> corrections.check(parked.eventId(), FIXED, 10))
          .isInstanceOf(CorrectionException.class)
          .hasMessageContaining("has been corrected by '" + corrected);
    }
  }

  @Test
  void oneThatIsNotBuriedHasNoCorrectedOneBesideIt() throws SQLException {
    Session session = states();
    try (Admin admin = admin()) {
      int before = found(admin, EventFilter.ALL).size();
      long job = planned(admin, "parked");
      assertThat(run(admin, job).state()).isEqualTo(State.WAITING);
      RunningJob running = asked(admin, job);
      settle(session, requests().get(0).answer(false, "published"));
      assertThat(running.outcomes(SECOND)).hasSize(1);
      assertThat(run(admin, job))
          .returns(State.REFUSED, Result::state)
          .returns("published", Result::note);
      assertThat(found(admin, EventFilter.ALL)).hasSize(before);

      long cancelled = planned(admin, "parked");
      Jobs.of(admin).cancel(cancelled, "lee");
      assertThatThrownBy(() -> run(admin, cancelled)).isInstanceOf(JobStateException.class);
    }
  }

  @Test
  void whatIsToBePublishedAfterItsBurialIsNotCorrected() throws SQLException {
    Session session = states();
    try (Admin admin = admin()) {
      int before = found(admin, EventFilter.ALL).size();
      long job = planned(admin, "dead");
      assertThat(run(admin, job).state()).isEqualTo(State.WAITING);
      RunningJob running = asked(admin, job);
      buried(session);
      assertThat(running.outcomes(SECOND)).hasSize(1);
      admin.request(Verb.RETRY, EventFilter.ids(List.of(id(admin, "dead"))), 1, BY);
      assertThat(run(admin, job))
          .returns(State.REFUSED, Result::state)
          .returns("asked for since it was buried: RETRY", Result::note);
      assertThat(found(admin, EventFilter.ALL)).hasSize(before);
    }
  }

  /** The process was killed, or another one answers; two at the same time. */
  @Test
  void whoeverGoesOnAppendsItOnce() throws Exception {
    Session session = states();
    try (Admin first = admin();
        Admin second = admin()) {
      int before = found(first, EventFilter.ALL).size();
      long job = planned(first, "parked");
      assertThat(run(first, job).state()).isEqualTo(State.WAITING);
      RunningJob running = asked(second, job);
      buried(session);
      assertThat(running.outcomes(SECOND)).hasSize(1);
      CompletableFuture<Result> one = CompletableFuture.supplyAsync(() -> run(first, job));
      CompletableFuture<Result> other = CompletableFuture.supplyAsync(() -> run(second, job));
      List<Result> results = List.of(one.get(), other.get());
      assertThat(results).anyMatch(each -> each.state() == State.DONE);
      assertThat(run(second, job).state()).isEqualTo(State.DONE);
      assertThat(found(first, EventFilter.ALL)).hasSize(before + 1);
    }
  }

  @Test
  void onlyWhatIsParkedOrDeadIsCorrectedByThePlanThatWasMadeForIt() throws SQLException {
    states();
    try (Admin admin = admin()) {
      Corrections corrections = Corrections.of(admin);
      assertThatThrownBy(() -> corrections.check(id(admin, "new"), FIXED, 10))
          .isInstanceOf(CorrectionException.class)
          .hasMessageContaining("is PENDING, but must be PARKED or DEAD");
      assertThatThrownBy(() -> new Correction(null, null, null, Map.of()))
          .isInstanceOf(CorrectionException.class)
          .hasMessageContaining("payload must be given");
      long other = plan(admin, Verb.PARK, AT_ONCE, "new", "retry").id();
      assertThatThrownBy(() -> run(admin, other))
          .isInstanceOf(CorrectionException.class)
          .hasMessageContaining("it is PARK of 2 event(s)");
      assertThat(corrections.run(1, FIXED, BY)).isEmpty();
      long job = planned(admin, "parked");
      assertThat(run(admin, job).state()).isEqualTo(State.WAITING);
      assertThatThrownBy(() -> corrections.run(job, FIXED, new Instruction("lee", "me too")))
          .isInstanceOf(JobStateException.class);
    }
  }

  @Test
  void aBurialThatNoRelayAnswersWaitsAndIsTakenUpLater() throws SQLException {
    Session session = states();
    try (Admin admin = admin()) {
      long job = planned(admin, "parked");
      assertThat(run(admin, job).state()).isEqualTo(State.WAITING);
      RunningJob running = Jobs.of(admin).take(job, "a").orElseThrow();
      JobRun steps = running.run();
      assertThat(steps(steps, 0, 60)).isTrue();
      running.end(steps.progress().stopped());
      assertThat(run(admin, job))
          .returns(State.WAITING, Result::state)
          .extracting(Result::note)
          .asString()
          .contains("a relay has to run");

      buried(session);
      assertThat(Jobs.of(admin).due("b")).containsExactly(job);
      assertThat(Jobs.of(admin).take(job, "b").orElseThrow().outcomes(SECOND)).hasSize(1);
      assertThat(run(admin, job).state()).isEqualTo(State.DONE);
    }
  }

  /** A column of JSON has spaces of its own. */
  private static String compact(byte @Nullable [] json) {
    return new String(Objects.requireNonNull(json), StandardCharsets.UTF_8).replace(" ", "");
  }
}
