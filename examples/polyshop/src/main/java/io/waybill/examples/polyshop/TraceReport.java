package io.waybill.examples.polyshop;

import io.waybill.proof.trace.ExportedSpan;
import io.waybill.proof.trace.Trace;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the exported spans say.
 *
 * @param traces one of each order, the first one shown
 * @param broken those that lack a service or a parent
 */
record TraceReport(List<Trace> traces, List<Trace> broken) {
  /** Every service that an order comes by. */
  static final Set<String> SERVICES =
      Set.of(
          JavaService.GATEWAY.source(),
          JavaService.ORDER.source(),
          JavaService.INVENTORY.source(),
          JavaService.ANALYTICS.source(),
          Service.PAYMENT.source(),
          Service.NOTIFICATION.source(),
          "waybill-relay");

  static TraceReport of(List<String> traceIds, List<ExportedSpan> spans) {
    List<Trace> traces = traceIds.stream().map(id -> new Trace(id, spans)).toList();
    List<Trace> broken =
        traces.stream()
            .filter(trace -> !trace.isWhole() || !trace.services().equals(SERVICES))
            .toList();
    return new TraceReport(traces, broken);
  }

  /** Shows one trace; returns whether all are whole. */
  boolean print(PrintStream out) {
    out.println("the trace of one order:");
    traces.get(0).lines().forEach(line -> out.println("  " + line));
    out.println(traces.size() - broken.size() + " of " + traces.size() + " traces are whole");
    broken.stream()
        .collect(Collectors.groupingBy(TraceReport::missing, TreeMap::new, Collectors.counting()))
        .forEach((missing, count) -> out.println("  without " + missing + ": " + count));
    return broken.isEmpty();
  }

  private static String missing(Trace trace) {
    Set<String> services = new TreeSet<>(SERVICES);
    services.removeAll(trace.services());
    return services.isEmpty()
        ? "the parent of a span"
        : "any span of " + String.join(", ", services);
  }
}
