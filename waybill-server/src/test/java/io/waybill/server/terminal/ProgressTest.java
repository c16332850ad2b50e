package io.waybill.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter err = new StringWriter();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void isDrawnInOneLineOfATerminalThatIsGoneInTheEnd() {
    run(true);

    assertThat(err.toString())
        .startsWith("\r\u001b[K1 done\r\u001b[K2 done")
        .endsWith("\r\u001b[K")
        .doesNotContain("\n");
  }

  @Test
  void isALineAfterTheOtherElsewhere() {
    run(false);

    assertThat(err.toString()).startsWith("1 done\n2 done\n").doesNotContain("\u001b");
  }

  @Test
  void whatIsOverSoonTellsNothing() {
    try (Progress progress = new Progress(new PrintWriter(err, true), true, this::text)) {
      assertThat(progress).isNotNull();
    }
    assertThat(err.toString()).isEmpty();
  }

  private void run(boolean draws) {
    try (Progress progress = new Progress(new PrintWriter(err, true), draws, this::text, 1)) {
      assertThat(progress).isNotNull();
      Awaitility.await().until(() -> asked.get() > 2);
    }
  }

  private String text() {
    return asked.incrementAndGet() + " done";
  }
}
