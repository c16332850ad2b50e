package io.waybill.examples.services;

import io.waybill.proof.trace.Trace;
import java.io.PrintStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Shows events as they arrive, and their traces once a handler is part of them. */
final class DedupeKeys {
  private static final String TRACEPARENT = "traceparent";
  private static final int TRACE_ID_START = 3;
  private static final int TRACE_ID_END = 35;

  private final ExampleServers servers;
  private final String handled;
  private final PrintStream out;
  private final Set<String> untold = new LinkedHashSet<>();
  private int messages;
  private int whole;

  DedupeKeys(ExampleServers servers, String handled, PrintStream out) {
    this.servers = servers;
    this.handled = handled;
    this.out = out;
  }

  /** Traces that were shown. */
  int whole() {
    return whole;
  }

  /** Shows what is new. */
  void look() {
    List<Arrival> all = servers.broker().arrivals();
    all.subList(messages, all.size()).forEach(this::show);
    messages = all.size();
    untold.removeIf(this::told);
  }

  private void show(Arrival message) {
    out.println("arrived on " + message.where() + ":");
    out.println("  " + message.body());
    String context = message.headers().get(TRACEPARENT);
    if (context != null) {
      untold.add(context.substring(TRACE_ID_START, TRACE_ID_END));
    }
  }

  private boolean told(String traceId) {
    Trace trace = new Trace(traceId, servers.spans().spans());
    List<String> lines = trace.lines();
    if (!trace.isWhole() || lines.stream().noneMatch(line -> line.contains(handled))) {
      return false;
    }
    out.println("trace " + traceId + ":");
    lines.forEach(line -> out.println("  " + line));
    whole++;
    return true;
  }
}
