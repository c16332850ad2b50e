package io.waybill.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import java.net.URL;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Foreign text neither forges lines of the log nor drives a terminal. */
class LogLinesTest {
  private static final String FORGED =
      "no such row\n2026-01-01T00:00:00.000Z INFO  [main] Relay - all is well\r\u001b[2J\u2028x";

  /** What the text format makes of a message and an exception. */
  private static String logged(Throwable thrown) throws JoranException {
    URL definition = Objects.requireNonNull(Logs.class.getResource("/logback.xml"));
    LoggerContext context = new LoggerContext();
    try {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(definition);
      Logger logger = context.getLogger(LogLinesTest.class);
      LoggingEvent event =
          new LoggingEvent("fqcn", logger, Level.WARN, "Failed: " + FORGED, thrown, null);
      Appender<ILoggingEvent> appender =
          context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
      byte[] line = ((ConsoleAppender<ILoggingEvent>) appender).getEncoder().encode(event);
      return new String(line, UTF_8);
    } finally {
      context.stop();
    }
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
