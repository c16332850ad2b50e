package io.waybill.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Foreign text neither forges lines of the log nor drives a terminal. */
class LogLinesTest {
  private static final String FORGED =
      "no such row\n2026-01-01T00:00:00.000Z INFO  [main] Relay - all is well\r\u001b[2J\u2028x";

  /** What the text format makes of a message and an exception. */
  private static String logged(Throwable thrown) throws JoranException {
    URL definition = Objects.requireNonNull(Logs.class.getResource("/logback.xml"));
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    LoggerContext context = new LoggerContext();
    System.setErr(new PrintStream(written, true, UTF_8));
    try {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(definition);
      Logger logger = context.getLogger(LogLinesTest.class);
      logger.warn("Failed: {}", FORGED, thrown);
    } finally {
      context.stop();
      System.setErr(before);
    }
    return written.toString(UTF_8);
  }

  @Test
  void messagesOfExceptionsStayInTheirLine() throws JoranException {
    Throwable thrown = new IllegalStateException(FORGED, new IllegalArgumentException(FORGED));
    thrown.addSuppressed(new UnsupportedOperationException(FORGED));
    String log = logged(thrown);
    assertThat(log.lines().filter(line -> !line.startsWith("\t")))
        .hasSize(3)
        .noneMatch(line -> line.startsWith("2026-01-01"))
        .anyMatch(line -> line.startsWith("java.lang.IllegalStateException: no such row?2026"))
        .anyMatch(
            line -> line.startsWith("Caused by: java.lang.IllegalArgumentException: no such"));
    assertThat(log).contains("Suppressed: java.lang.UnsupportedOperationException: no such row?2");
    assertThat(log).doesNotContain("\u001b", "\u2028", "\r");
  }
}
