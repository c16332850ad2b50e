package io.waybill.internal.inbox.attempt;

import io.waybill.handler.Registration;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.message.Headers;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers the steps of an attempt, and notes them. */
public abstract class AttemptRun {
  static final Answer OK = new Answer.Ok();
  static final Answer FAILED = new Answer.StoreFailed("gone", true);
  static final Failure BROKEN = new Failure(true, "broken");
  static final DedupeResult SEEN = new DedupeResult.Seen(Duration.ofSeconds(9));
  static final Work.Mark NO_MARK = Work.Mark.NONE;
  static final Work.Mark SUSPECT = new Work.Mark(List.of("e"), false, false, 3);
  static final Work.Mark ALONE = new Work.Mark(List.of("e"), false, true, 3);
  static final Answer NEVER_STARTED = new Answer.Starts(Map.of());
  static final Plan HANDLE =
      new Plan.Handle(new Registration("t", 1, 1, (events, connection) -> {}));

  static final Plan BATCH =
      new Plan.Handle(new Registration("t", 1, 9, (events, connection) -> {}));

  final List<String> steps = new ArrayList<>();

  static Task task(String id, Plan plan, @Nullable DeferredEvent deferred) {
    Decoded decoded =
        new Decoder()
            .decode(
                "q",
                null,
                null,
                Headers.of(Map.of("waybill-event-id", id, "waybill-event-type", "t")),
                0);
    DedupeKey dedupeKey = new DedupeKey(id, "t", "q", null);
    var delivery =
        new io.waybill.broker.Delivery("q", "q", 0, null, null, Headers.NONE, 0, false, 0, "token");
    return new Task(
        dedupeKey,
        ((Decoded.Event) decoded).event(),
        plan,
        deferred == null ? delivery : null,
        deferred);
  }

  public static DeferredEvent deferred(@Nullable String deadReason) {
    return new DeferredEvent(
        new DedupeKey("e", "t", "q", null),
        new byte[] {1},
        Headers.NONE,
        0,
        2,
        0,
        "broken",
        deadReason,
        false);
  }

  static Work handle(Work.Mark mark, Task... tasks) {
    return new Work.Handle(1, List.of(tasks), mark);
  }

  public static Task deferredTask() {
    return task("e", HANDLE, deferred(null));
  }

  static Work retry(Work.Mark mark, DeferredEvent event) {
    return new Work.Retry(1, task("e", HANDLE, event), mark);
  }

  /** Answers each step with the next answer, OK after the last. */
  final Outcome run(Work work, Answer... answers) {
    HandlingTransaction attempt = new HandlingTransaction(work);
    Step step = attempt.first();
    for (int i = 0; !(step instanceof Step.End); i++) {
      steps.add(step.getClass().getSimpleName());
      step = attempt.next(i < answers.length ? answers[i] : OK);
    }
    return ((Step.End) step).outcome();
  }

  static Answer dedupeResults(DedupeResult... dedupeResults) {
    return new Answer.DedupeResults(List.of(dedupeResults));
  }

  static List<Fate> fates(Outcome outcome) {
    return ((Outcome.Done) outcome).fates();
  }
}
