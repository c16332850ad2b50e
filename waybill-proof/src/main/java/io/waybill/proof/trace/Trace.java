package io.waybill.proof.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The spans of one trace. Immutable. */
public final class Trace {
  private final List<ExportedSpan> spans;
  private final Map<String, ExportedSpan> byId;

  /**
   * One trace of all that were exported.
   *
   * @param traceId 32 hexadecimal digits
   * @param exported spans of any traces
   */
  public Trace(String traceId, List<ExportedSpan> exported) {
    spans =
        exported.stream()
            .filter(span -> span.traceId().equals(traceId))
            .sorted(Comparator.comparingLong(ExportedSpan::startNanos))
            .toList();
    byId = spans.stream().collect(Collectors.toMap(ExportedSpan::spanId, Function.identity()));
  }

  /**
   * Who took part.
   *
   * @return names of services
   */
  public Set<String> services() {
    return spans.stream().map(ExportedSpan::service).collect(Collectors.toSet());
  }

  /**
   * Whether it begins with one span, and the parent of each other one is here.
   *
   * @return false for a trace without spans, too
   */
  public boolean isWhole() {
    long roots = spans.stream().filter(span -> span.parentId().isEmpty()).count();
    return roots == 1
        && spans.stream()
            .allMatch(span -> span.parentId().isEmpty() || byId.containsKey(span.parentId()));
  }

  /**
   * One line for each span, indented below its parent; those of one parent by service and name.
   *
   * @return service and name of each
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    below("", "", lines);
    return lines;
  }

  private void below(String parentId, String indent, List<String> lines) {
    spans.stream()
        .filter(span -> span.parentId().equals(parentId))
        .sorted(Comparator.comparing(ExportedSpan::service).thenComparing(ExportedSpan::name))
        .forEach(
            span -> {
              lines.add(indent + span.service() + ": " + span.name());
              below(span.spanId(), indent + "  ", lines);
            });
  }
}
