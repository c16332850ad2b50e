package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.trace.ExportedSpan;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceReportTest {
  private static ExportedSpan span(String service, String id, String parent) {
    return new ExportedSpan(service, "does", "t", id, parent, Long.parseLong(id));
  }

  @Test
  void aMissingServiceBreaksTheReport() {
    List<ExportedSpan> spans = new ArrayList<>();
    spans.add(span("root", "1", ""));
    int id = 2;
    for (String service : TraceReport.SERVICES) {
      spans.add(span(service, Integer.toString(id++), "1"));
    }
    assertThat(TraceReport.of(List.of("t"), spans).broken()).hasSize(1);
    spans.remove(0);
    spans.replaceAll(
        span -> span(span.service(), span.spanId(), span.spanId().equals("2") ? "" : "2"));
    assertThat(TraceReport.of(List.of("t"), spans).broken()).isEmpty();
    ExportedSpan last = spans.remove(spans.size() - 1);
    TraceReport report = TraceReport.of(List.of("t"), spans);
    assertThat(report.broken()).hasSize(1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(report.print(new PrintStream(out, true, StandardCharsets.UTF_8))).isFalse();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .endsWith("0 of 1 traces are whole\n  without any span of " + last.service() + ": 1\n");
  }
}
