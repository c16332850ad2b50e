package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import io.waybill.proof.oracle.Duplicates;
import io.waybill.proof.oracle.FaultWindow;
import io.waybill.proof.oracle.Oracle;
import io.waybill.proof.oracle.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Says what must not be in the evidence of a run. */
final class Judge {
  // A relay finds out about a fault, and logs or dies of it, a while after it.
  private static final long AFTERMATH_MILLIS = 30_000;
  private static final int MOST_EXAMPLES = 5;

  /** What was counted, and what must not be. */
  record Judgement(Verdict verdict, Duplicates duplicates, List<String> findings) {}

  private final Evidence evidence;
  private final List<String> findings = new ArrayList<>();

  private Judge(Evidence evidence) {
    this.evidence = evidence;
  }

  static Judgement of(Evidence evidence) {
    return new Judge(evidence).judge();
  }

  private Judgement judge() {
    Verdict verdict = Oracle.compare(evidence.ledger(), evidence.delivered(), evidence.excused());
    none(verdict.lost(), "committed events were not delivered (lost)");
    none(verdict.ghosts(), "delivered events were never committed (ghosts)");
    none(verdict.altered(), "copies differ from what was written");
    none(verdict.orderViolations(), "first deliveries are out of the order of their keys");
    verdict.examples().forEach(example -> findings.add("  " + example));
    Duplicates duplicates =
        Duplicates.explain(evidence.delivered(), evidence.causes()).without(evidence.again());
    none(duplicates.unexplained().size(), "duplicates have no cause");
    duplicates.unexplained().stream()
        .limit(MOST_EXAMPLES)
        .forEach(pair -> findings.add("  no cause: " + pair));
    rows();
    findings.addAll(processes(evidence.relays(), evidence.causes()));
    return new Judgement(verdict, duplicates, List.copyOf(findings));
  }

  private void rows() {
    Set<String> committed =
        evidence.ledger().stream().map(Copy::eventId).collect(Collectors.toSet());
    none(
        evidence.acknowledged().stream().filter(id -> !committed.contains(id)).count(),
        "events whose commit was acknowledged are not in the database");
    Evidence.Rows rows = evidence.rows();
    none(rows.unsettled(), "rows are neither published nor given up");
    none(rows.dead(), "events are dead, though none was refused");
    none(rows.parked(), "events are parked or held, though none was refused");
    Set<String> delivered = new HashSet<>();
    evidence.delivered().forEach(copy -> delivered.add(copy.eventId()));
    none(
        rows.published().stream()
            .filter(id -> !delivered.contains(id) && !evidence.excused().contains(id))
            .count(),
        "rows are called published that nobody received (false success)");
    if (rows.kept()) {
      none(
          committed.stream()
              .filter(id -> !rows.published().contains(id) && !evidence.excused().contains(id))
              .count(),
          "committed events have no row that calls them published");
    }
  }

  /** What must not be known of processes, relays or others. */
  static List<String> processes(Evidence.Processes processes, List<FaultWindow> causes) {
    List<String> findings = new ArrayList<>();
    processes.selfEnded().stream()
        .filter(ended -> !explained(ended.atMillis(), causes))
        .forEach(ended -> findings.add("a process ended by itself without a fault: " + ended));
    processes.errors().stream()
        .filter(error -> !explained(error.atMillis(), causes))
        .limit(MOST_EXAMPLES)
        .forEach(error -> findings.add("an ERROR line without a fault: " + error));
    processes
        .leakedTexts()
        .forEach(leak -> findings.add("a payload or secret was logged: " + leak));
    findings.addAll(processes.held());
    findings.addAll(processes.misbehaved());
    return findings;
  }

  private static boolean explained(long atMillis, List<FaultWindow> causes) {
    return causes.stream().anyMatch(fault -> fault.overlaps(atMillis - AFTERMATH_MILLIS, atMillis));
  }

  private void none(long count, String what) {
    if (count > 0) {
      findings.add(count + " " + what);
    }
  }
}
