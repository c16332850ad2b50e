package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.observe.InboxEvent;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class InboxLogTest {
  @Test
  void warnsOfWhatWasRedrivenForANameThatIsNotItsOwn() {
    Logger logger = (Logger) LoggerFactory.getLogger(Inbox.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      new InboxLog("payment")
          .on(
              new InboxEvent.PassedOver(
                  new InboxEvent.About("e1", "placed", "orders", null), "paiment"));
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list)
        .filteredOn(line -> line.getFormattedMessage().contains("event e1"))
        .singleElement()
        .returns(Level.WARN, ILoggingEvent::getLevel)
        .satisfies(
            line ->
                assertThat(line.getFormattedMessage())
                    .contains("inbox payment", "for paiment", "acknowledged unseen", "--for"));
  }
}
