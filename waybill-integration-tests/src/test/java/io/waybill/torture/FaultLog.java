package io.waybill.torture;

import io.waybill.proof.oracle.FaultWindow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Every fault with its span of time. Thread-safe. */
final class FaultLog {
  /** A fault that goes on. */
  record Open(FaultKind kind, String target, long startMillis) {
    private FaultWindow until(long endMillis) {
      return new FaultWindow(kind.label(), target, startMillis, Math.max(startMillis, endMillis));
    }
  }

  private final List<Open> open = new ArrayList<>();
  private final List<FaultWindow> closed = new ArrayList<>();
  private final List<FaultWindow> causes = new ArrayList<>();
  private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);

  synchronized Open begin(FaultKind kind, String target) {
    Open fault = new Open(kind, target, System.currentTimeMillis());
    open.add(fault);
    counts.merge(kind, 1, Integer::sum);
    return fault;
  }

  /** A part of a fault that is a cause by itself, and not counted again. */
  synchronized Open again(Open part) {
    Open fault = new Open(part.kind(), part.target(), System.currentTimeMillis());
    open.add(fault);
    return fault;
  }

  synchronized void end(Open fault) {
    if (open.remove(fault)) {
      long now = System.currentTimeMillis();
      closed.add(fault.until(now));
      if (fault.kind().isCause()) {
        causes.add(fault.until(now + fault.kind().aftermath().toMillis()));
      }
    }
  }

  synchronized int running() {
    return open.size();
  }

  /** Those that can be the cause of something, the ones that go on with their end now. */
  synchronized List<FaultWindow> causes() {
    List<FaultWindow> all = new ArrayList<>(causes);
    long now = System.currentTimeMillis();
    open.stream()
        .filter(fault -> fault.kind().isCause())
        .forEach(fault -> all.add(fault.until(now)));
    return all;
  }

  synchronized List<FaultWindow> all() {
    List<FaultWindow> all = new ArrayList<>(closed);
    open.forEach(fault -> all.add(fault.until(System.currentTimeMillis())));
    return all;
  }

  synchronized Map<FaultKind, Integer> counts() {
    return new EnumMap<>(counts);
  }

  synchronized int total() {
    return Guarantee.sum(counts, FaultKind::isFault);
  }

  synchronized int kills() {
    return Guarantee.sum(counts, FaultKind::isKill);
  }

  /** Whether a fault that can be a cause was there in a span, or ended less than so long before. */
  boolean explains(long fromMillis, long untilMillis, long aftermathMillis) {
    return causes().stream()
        .anyMatch(fault -> fault.overlaps(fromMillis - aftermathMillis, untilMillis));
  }
}
