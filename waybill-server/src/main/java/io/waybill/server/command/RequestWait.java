package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.EventOutcome;
import io.waybill.internal.jdbc.operator.RequestOutcomes;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.config.Printable;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Waits for what the relays make of requests. Used by one thread, {@link #progress} by another. */
final class RequestWait {
  private static final int MOST_LINES = 10;
  private static final int PAGE = 500;
  private static final long POLL_MILLIS = 100;
  private static final Duration OUTCOME = Duration.ofSeconds(5);

  private final RequestOutcomes outcomes;
  private final Verb verb;
  private final int all;
  private final List<String> refused = new ArrayList<>();
  private final List<String> refusedAgain = new ArrayList<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger published = new AtomicInteger();

  RequestWait(Admin admin, Verb verb, Set<String> ids) {
    this.outcomes = new RequestOutcomes(admin, verb, this::take);
    this.verb = verb;
    this.all = ids.size();
    outcomes.expect(ids);
  }

  static boolean anyRelay(Admin admin) {
    return admin.sessions().stream().anyMatch(session -> session.leaseMillis() > 0);
  }

  /**
   * Until all is known or the time is over; returns whether all requests are answered. What was
   * tried and neither published nor refused for a while waits for something else, a destination
   * that is paused for example.
   */
  boolean await(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    long news = System.nanoTime();
    int before = 0;
    outcomes.look();
    while (open() > 0 && System.nanoTime() - end < 0) {
      if (open() != before) {
        before = open();
        news = System.nanoTime();
      }
      if (outcomes.unanswered() == 0 && System.nanoTime() - news > OUTCOME.toNanos()) {
        break;
      }
      // Each look reads all entries that are open.
      pause(POLL_MILLIS * (1 + outcomes.unanswered() / PAGE), "the requests remain");
      outcomes.look();
    }
    return outcomes.unanswered() == 0;
  }

  private int open() {
    return outcomes.unanswered() + outcomes.undecided();
  }

  private void take(String eventId, EventOutcome outcome) {
    switch (outcome.kind()) {
      case DONE -> done.incrementAndGet();
      case REFUSED -> refused.add(eventId + ": " + outcome.reason());
      case PUBLISHED -> published.incrementAndGet();
      case FAILED ->
          refusedAgain.add(
              "%s: %s%s"
                  .formatted(
                      eventId,
                      outcome.reason(),
                      outcome.detail() == null ? "" : ", " + outcome.detail()));
      case UNCLEAR -> throw new IllegalStateException("Only a dead letter's outcome is unclear");
    }
  }

  String progress() {
    return verb == Verb.RETRY
        ? "%d of %d tried, %d published".formatted(done.get(), all, published.get())
        : "%d of %d done".formatted(done.get(), all);
  }

  /** Whether nothing of what is known was refused. */
  boolean allWell() {
    return refused.isEmpty() && refusedAgain.isEmpty();
  }

  void into(Map<String, Object> result) {
    result.put("done", done.get());
    result.put("refused", refused);
    result.put("unanswered", outcomes.unanswered());
    if (verb == Verb.RETRY) {
      result.put("published", published.get());
      result.put("refusedAgain", refusedAgain);
      result.put("notYetPublished", outcomes.undecided());
    }
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    int unanswered = outcomes.unanswered();
    lines.add(
        "%d done, %d refused%s."
            .formatted(
                done.get(),
                refused.size(),
                unanswered == 0 ? "" : ", " + unanswered + " unanswered so far"));
    if (verb == Verb.RETRY && done.get() > 0) {
      lines.add(
          "Of those done, %d are published, %d were refused again, %d wait to be published."
              .formatted(published.get(), refusedAgain.size(), outcomes.undecided()));
    }
    lines.addAll(some("refused", refused));
    lines.addAll(some("refused again", refusedAgain));
    return lines;
  }

  private static List<String> some(String what, List<String> all) {
    List<String> lines =
        all.stream()
            .limit(MOST_LINES)
            .map(each -> what + ": " + Printable.line(each))
            .collect(Collectors.toCollection(ArrayList::new));
    if (all.size() > MOST_LINES) {
      lines.add("... and %d more %s".formatted(all.size() - MOST_LINES, what));
    }
    return lines;
  }

  /** Waits; an interrupt ends the command. */
  static void pause(long millis, String left) {
    try {
      // Nothing ever counts it down: a pause that an interrupt ends.
      boolean ended = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
      assert !ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FINDINGS, "Interrupted; " + left);
    }
  }
}
