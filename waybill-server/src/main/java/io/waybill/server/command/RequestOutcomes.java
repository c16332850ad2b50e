package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.config.Printable;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Waits for what the relays make of requests, by the audit, and of a retry for what became of the
 * event: that it was tried says nothing yet. Used by one thread, {@link #progress} by another.
 */
final class RequestOutcomes {
  private static final int PAGE = 500;
  private static final int MOST_LINES = 10;
  private static final long POLL_MILLIS = 100;
  private static final Duration OUTCOME = Duration.ofSeconds(5);

  private final Admin admin;
  private final Verb verb;
  private final int all;
  private final Set<String> unanswered;
  // Tried, and not yet seen to be published or refused.
  private final Set<String> tried = new LinkedHashSet<>();
  private final List<String> refused = new ArrayList<>();
  private final List<String> refusedAgain = new ArrayList<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger published = new AtomicInteger();
  // Nothing that was answered stands in older entries.
  private long oldest;

  RequestOutcomes(Admin admin, Verb verb, Set<String> ids) {
    this.admin = admin;
    this.verb = verb;
    this.all = ids.size();
    this.unanswered = new HashSet<>(ids);
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
    int open = 0;
    look();
    while (!(unanswered.isEmpty() && tried.isEmpty()) && System.nanoTime() - end < 0) {
      if (unanswered.size() + tried.size() != open) {
        open = unanswered.size() + tried.size();
        news = System.nanoTime();
      }
      if (unanswered.isEmpty() && System.nanoTime() - news > OUTCOME.toNanos()) {
        break;
      }
      // Each look reads all entries that are open.
      pause(POLL_MILLIS * (1 + unanswered.size() / PAGE));
      look();
    }
    return unanswered.isEmpty();
  }

  private void look() {
    takeAnswers();
    takeOutcomes();
  }

  /** The latest entry about each event is that of its request: there is one at a time. */
  private void takeAnswers() {
    Set<String> missing = new HashSet<>(unanswered);
    long before = Long.MAX_VALUE;
    long lowest = Long.MAX_VALUE;
    while (!missing.isEmpty() && before > oldest) {
      List<AuditEntry> page = admin.audit(before, PAGE);
      for (AuditEntry entry : page) {
        String id = entry.eventId();
        if (id != null && entry.verb().equals(verb.name()) && missing.remove(id)) {
          lowest = entry.id();
          take(id, entry);
        }
      }
      if (page.size() < PAGE) {
        break;
      }
      before = page.get(page.size() - 1).id();
    }
    if (missing.isEmpty() && lowest != Long.MAX_VALUE) {
      oldest = lowest;
    }
  }

  private void take(String id, AuditEntry entry) {
    if (entry.done() == null) {
      return;
    }
    unanswered.remove(id);
    if (entry.done()) {
      done.incrementAndGet();
      if (verb == Verb.RETRY) {
        tried.add(id);
      }
    } else {
      refused.add(id + ": " + entry.note());
    }
  }

  private void takeOutcomes() {
    List<String> ids = List.copyOf(tried);
    for (int from = 0; from < ids.size(); from += PAGE) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + PAGE));
      Set<String> there = new HashSet<>();
      for (EventView event : admin.find(EventFilter.ids(some), null, PAGE)) {
        there.add(event.eventId());
        outcome(event);
      }
      // Published rows may be deleted.
      some.stream().filter(id -> !there.contains(id)).forEach(this::published);
    }
  }

  private void outcome(EventView event) {
    String id = event.eventId();
    if (event.status() == EventStatus.PUBLISHED) {
      published(id);
    } else if (event.status() != EventStatus.PENDING || event.attempts() > 0) {
      tried.remove(id);
      refusedAgain.add(
          "%s: %s%s"
              .formatted(id, event.reason(), event.detail() == null ? "" : ", " + event.detail()));
    }
  }

  private void published(String id) {
    if (tried.remove(id)) {
      published.incrementAndGet();
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
    result.put("unanswered", unanswered.size());
    if (verb == Verb.RETRY) {
      result.put("published", published.get());
      result.put("refusedAgain", refusedAgain);
      result.put("notYetPublished", tried.size());
    }
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d done, %d refused%s."
            .formatted(
                done.get(),
                refused.size(),
                unanswered.isEmpty() ? "" : ", " + unanswered.size() + " unanswered so far"));
    if (verb == Verb.RETRY && done.get() > 0) {
      lines.add(
          "Of those done, %d are published, %d were refused again, %d wait to be published."
              .formatted(published.get(), refusedAgain.size(), tried.size()));
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

  private static void pause(long millis) {
    try {
      // Nothing ever counts it down: a pause that an interrupt ends.
      boolean ended = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
      assert !ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FINDINGS, "Interrupted; the requests remain");
    }
  }
}
