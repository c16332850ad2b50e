package io.waybill.internal.inbox.shell;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class InboxLogTest {
  @Test
  void warnsOfWhatWasRedrivenForANameThatIsNotItsOwn() {
    assertThat(
            warning(
                new InboxEvent.PassedOver(
                    new InboxEvent.About("e1", "placed", "orders", null), "paiment")))
        .contains(
            "inbox payment",
            "event e1",
            "a different consumer, paiment",
            "acknowledged unseen",
            "--for");
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

  @Test
  void warnsOfALetterThatWentWithoutItsBody() {
    InboxEvent.About about = new InboxEvent.About("e1", "placed", "orders", null);
    assertThat(
            warning(
                new InboxEvent.DeadLetterWithoutBody(about, "orders-3@15", 9, "too-large: 8 B")))
        .contains("without its body of 9 bytes", "too-large: 8 B", "is at orders-3@15");
  }

  static Stream<InboxEvent> eventsAboutOne() {
    InboxEvent.About about = new InboxEvent.About("e1", "placed", "orders", "t1");
    return Stream.of(
        new InboxEvent.Handled(about, 1, 1),
        new InboxEvent.Duplicate(about, Duration.ZERO),
        new InboxEvent.Ignored(about),
        new InboxEvent.Deferred(about, 0, "", 0),
        new InboxEvent.Deferred(about, 2, "broken", 1),
        new InboxEvent.Retried(about, "broken", 1),
        new InboxEvent.Isolated(about, 1, 0),
        new InboxEvent.Refused(about, "too large", 1),
        new InboxEvent.PassedOver(about, "paiment"),
        new InboxEvent.LaneStopped("orders-0", about, "no handler"),
        new InboxEvent.DeadLettered(about, "permanent-failure", "broken"),
        new InboxEvent.DeadLetterWithoutBody(about, "orders-3@15", 9, "too-large: 1 MiB"),
        new InboxEvent.DeadLetterFailed(about, "no topic", 1));
  }

  @ParameterizedTest
  @MethodSource("eventsAboutOne")
  void eachLineAboutAnEventHasItsIdAndItsTrace(InboxEvent event) {
    assertThat(lines(event, Level.DEBUG)).contains("event e1 (trace t1)");
  }

  @ParameterizedTest
  @MethodSource("eventsAboutOne")
  void eachLineAboutAnEventHasThemAsFieldsAndTheApplicationsComeBack(InboxEvent event) {
    MDC.put("traceId", "the application's");
    try {
      assertThat(logged(event))
          .hasSize(1)
          .allSatisfy(
              line ->
                  assertThat(line.getMDCPropertyMap())
                      .containsEntry("eventId", "e1")
                      .containsEntry("eventType", "placed")
                      .containsEntry("traceId", "t1"));
      assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("traceId", "the application's"));
    } finally {
      MDC.clear();
    }
  }

  @Test
  void warnsOfAThreadThatIsLeftBehindWithTheTypeOfItsEvent() {
    assertThat(warning(new InboxEvent.HandlerStuck("worker-1", "placed")))
        .contains("worker-1", "handler for placed");
  }

  private static String warning(InboxEvent event) {
    return lines(event, Level.WARN);
  }

  private static String lines(InboxEvent event, Level least) {
    return logged(event).stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(least))
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.startsWith("inbox payment"))
        .collect(Collectors.joining());
  }

  private static List<ILoggingEvent> logged(InboxEvent event) {
    Logger logger = (Logger) LoggerFactory.getLogger(HandlerCall.LOGGER);
    Level before = logger.getLevel();
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.DEBUG);
    try {
      new InboxLog("payment").on(event);
    } finally {
      logger.setLevel(before);
      logger.detachAppender(lines);
    }
    return List.copyOf(lines.list);
  }
}
