package io.waybill.proof.trace;

import static org.assertj.core.api.Assertions.assertThat;

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
}
