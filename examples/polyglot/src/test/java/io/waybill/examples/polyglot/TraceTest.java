package io.waybill.examples.polyglot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTest {
  private static ExportedSpan span(String service, String id, String parent) {
    return new ExportedSpan(service, "does", "t", id, parent, Long.parseLong(id));
  }

  @Test
  void showsChildrenBelowTheirParents() {
    Trace trace =
        new Trace(
            "t",
            List.of(
                span("c", "3", "2"),
                span("b", "2", "1"),
                span("a", "1", ""),
                span("a", "4", "1"),
                new ExportedSpan("other", "does", "u", "9", "", 9)));

    assertThat(trace.lines()).containsExactly("a: does", "  a: does", "  b: does", "    c: does");
    assertThat(trace.services()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(trace.isWhole()).isTrue();
  }

  @Test
  void aTraceWithoutAParentOrWithTwoRootsIsNotWhole() {
    assertThat(new Trace("t", List.of(span("a", "1", ""), span("b", "2", "7"))).isWhole())
        .isFalse();
    assertThat(new Trace("t", List.of(span("a", "1", ""), span("b", "2", ""))).isWhole()).isFalse();
    assertThat(new Trace("t", List.of()).isWhole()).isFalse();
  }

  @Test
  void aMissingServiceBreaksTheReport() {
    List<ExportedSpan> spans = new ArrayList<>();
    spans.add(span("root", "1", ""));
    int id = 2;
    for (String service : TraceReport.SERVICES) {
      spans.add(span(service, Integer.toString(id++), "1"));
    }
    assertThat(TraceReport.of(List.of("t"), spans).broken()).isOne();
    spans.remove(0);
    spans.replaceAll(
        span -> span(span.service(), span.spanId(), span.spanId().equals("2") ? "" : "2"));
    assertThat(TraceReport.of(List.of("t"), spans).broken()).isZero();
    spans.remove(spans.size() - 1);
    assertThat(TraceReport.of(List.of("t"), spans).broken()).isOne();
  }
}
