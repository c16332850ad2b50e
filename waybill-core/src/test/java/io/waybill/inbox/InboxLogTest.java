package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class InboxLogTest {
  @Test
  void warnsOfWhatWasRedrivenForANameThatIsNotItsOwn() {
    assertThat(
            warning(
                new InboxEvent.PassedOver(
                    new InboxEvent.About("e1", "placed", "orders", null), "paiment")))
        .contains("inbox payment", "event e1", "for paiment", "acknowledged unseen", "--for");
  }

  @Test
  void warnsOfAWindowThatIsTooShort() {
    Duration window = Duration.ofDays(14);
    assertThat(warning(new InboxEvent.WindowTooShort("orders", Duration.ofDays(20), window)))
        .contains("orders keeps messages for PT480H", "remembered for PT336H", "dedupeWindow");
    Duration endless = ChronoUnit.FOREVER.getDuration();
    assertThat(warning(new InboxEvent.WindowTooShort("orders", endless, window)))
        .contains("orders keeps messages without end");
  }

  private static String warning(InboxEvent event) {
    Logger logger = (Logger) LoggerFactory.getLogger(Inbox.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      new InboxLog("payment").on(event);
    } finally {
      logger.detachAppender(lines);
    }
    return lines.list.stream()
        .filter(line -> line.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.startsWith("inbox payment"))
        .collect(Collectors.joining());
  }
}
