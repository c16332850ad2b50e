package io.waybill.it;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.internal.start.RelaySupervisor;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What supervisors of relays log during a test, those of tests beside it too. */
final class SupervisorLog implements BeforeEachCallback, AfterEachCallback {
  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(RelaySupervisor.class);

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @Override
  public void beforeEach(ExtensionContext test) {
    lines.start();
    LOGGER.addAppender(lines);
  }

  @Override
  public void afterEach(ExtensionContext test) {
    LOGGER.detachAppender(lines);
  }

  List<ILoggingEvent> lines() {
    return List.copyOf(lines.list);
  }
}
