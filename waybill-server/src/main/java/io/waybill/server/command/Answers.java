package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.Instruction;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for what the relays make of requests, by the audit table. */
final class Answers {
  private static final int PAGE = 500;
  private static final long POLL_MILLIS = 100;

  private final Admin admin;
  private final Verb verb;
  private final Set<String> ids;
  private final Instruction by;

  Answers(Admin admin, Verb verb, List<String> ids, Instruction by) {
    this.admin = admin;
    this.verb = verb;
    this.ids = new HashSet<>(ids);
    this.by = by;
  }

  /** The latest entry about each event, when all are answered or the time is over. */
  List<AuditEntry> await(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    List<AuditEntry> entries = latest();
    while (entries.stream().anyMatch(entry -> entry.done() == null) && System.nanoTime() < end) {
      pause();
      entries = latest();
    }
    return entries;
  }

  private List<AuditEntry> latest() {
    Map<String, AuditEntry> latest = new HashMap<>();
    long before = Long.MAX_VALUE;
    List<AuditEntry> page;
    do {
      page = admin.audit(before, PAGE);
      for (AuditEntry entry : page) {
        String id = entry.eventId();
        if (id != null && ids.contains(id) && isOurs(entry)) {
          latest.putIfAbsent(id, entry);
        }
      }
      before = page.isEmpty() ? before : page.get(page.size() - 1).id();
    } while (page.size() == PAGE && latest.size() < ids.size());
    return List.copyOf(latest.values());
  }

  private boolean isOurs(AuditEntry entry) {
    return entry.verb().equals(verb.name())
        && entry.requestedBy().equals(by.by())
        && entry.reason().equals(by.reason());
  }

  private static void pause() {
    try {
      // Nothing ever counts it down: a pause that an interrupt ends.
      boolean ended = new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS);
      assert !ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FINDINGS, "Interrupted; the requests stand");
    }
  }
}
