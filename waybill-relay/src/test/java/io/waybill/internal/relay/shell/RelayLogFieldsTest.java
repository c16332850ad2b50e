package io.waybill.internal.relay.shell;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.internal.work.Ticker;
import io.waybill.observe.RelayEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What can be searched for in a relay's log. */
class RelayLogFieldsTest {
  private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String TRACE = "00-" + TRACE_ID + "-00f067aa0ba902b7-01";

  static Stream<RelayEvent> eventsAboutOne() {
    RelayEvent.Failure failure =
        new RelayEvent.Failure("e1", "placed", TRACE, "orders", 2, "record-too-large", true);
    return Stream.of(
        new RelayEvent.Published("e1", "placed", TRACE, "orders", 1, 1, 1),
        new RelayEvent.Retried(failure, true, 100),
        new RelayEvent.Parked(failure),
        new RelayEvent.Dead(failure, false));
  }

  @ParameterizedTest
  @MethodSource("eventsAboutOne")
  void eachLineAboutAnEventHasItsIdTypeAndTraceAsFields(RelayEvent event) {
    MDC.put("traceId", "the application's");
    try {
      assertThat(logged(event))
          .hasSize(1)
          .allSatisfy(
              line -> {
                assertThat(line.getFormattedMessage()).contains("event e1 (trace");
                assertThat(line.getMDCPropertyMap())
                    .isEqualTo(Map.of("eventId", "e1", "eventType", "placed", "traceId", TRACE_ID));
              });
      assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("traceId", "the application's"));
    } finally {
      MDC.clear();
    }
  }

  @Test
  void whatIsNotKnownIsNoField() {
    RelayEvent unsettled = new RelayEvent.Unsettled("e1", "locked", 60_000);
    assertThat(fields(unsettled)).isEqualTo(Map.of("eventId", "e1"));
    assertThat(fields(new RelayEvent.Unsettled("", "locked", 60_000))).isEmpty();
    assertThat(fields(new RelayEvent.Published("e1", "placed", "x", "orders", 1, 1, 1)))
        .isEqualTo(Map.of("eventId", "e1", "eventType", "placed"));
    assertThat(fields(new RelayEvent.Started("relay-1"))).isEmpty();
  }

  private static Map<String, String> fields(RelayEvent event) {
    return new HashMap<>(logged(event).get(0).getMDCPropertyMap());
  }

  private static List<ILoggingEvent> logged(RelayEvent event) {
    Logger logger = (Logger) LoggerFactory.getLogger(RelayLog.LOGGER);
    Level before = logger.getLevel();
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.DEBUG);
    try {
      new RelayLog("relay-1", Ticker.SYSTEM).on(event);
    } finally {
      logger.setLevel(before);
      logger.detachAppender(lines);
    }
    return List.copyOf(lines.list);
  }
}
