package io.waybill.examples.eventoutbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The program as {@code ./waybill example event-outbox} runs it. */
class EventOutboxExampleTest {
  @Tag("server")
  @Test
  void whatIsDueArrivesOnceOnBothEnginesAndTheViewsShowIt() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      code = new CommandLine(new EventOutboxExample(out)).execute();
    }
    String output = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(output).isZero();
    String ok = "OK: 27 events sent, 27 arrived, 27 of them different; 0 still due, 1 failed\n";
    assertThat(output.split(ok, -1)).as(output).hasSize(3);
    assertThat(output)
        .contains("starting postgresql", "starting mariadb")
        .contains("vw_event_outbox\n", "vw_event_outbox_due\n", "vw_event_outbox_waiting\n")
        .contains("vw_event_outbox_latency\n")
        .contains("vw_event_outbox_metrics\n", "vw_event_throughput_hourly\n")
        .contains("vw_sync_backlog_by_node\n")
        .containsPattern("order[.]paid +9 ")
        .containsPattern("failed +1 +0 +0 ")
        .containsPattern("node-a +1 +0 +0 ")
        .containsPattern("node-b +0 +1 +0 ");
  }
}
