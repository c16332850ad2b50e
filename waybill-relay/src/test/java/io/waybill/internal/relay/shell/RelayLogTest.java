package io.waybill.internal.relay.shell;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.Failure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RelayLogTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final Logger logger = (Logger) LoggerFactory.getLogger(RelayLog.LOGGER);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final AtomicLong now = new AtomicLong();
  private final RelayLog log = new RelayLog("r", now::get);

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void end() {
    logger.detachAppender(lines);
  }

  @Test
  void oneCauseIsOneWarningHoweverManyEventsItHits() {
    for (int i = 0; i < 30_000; i++) {
      log.on(new RelayEvent.Parked(failure("e" + i, "", "missing-field")));
    }
    assertThat(warnings()).hasSize(1);
    assertThat(warnings().get(0))
        .contains("event e0 (trace " + TRACE + ")", "missing-field", "an operator");

    pass(RepeatedFailures.INTERVAL.minusSeconds(1));
    assertThat(warnings()).hasSize(1);
    pass(Duration.ofSeconds(1));
    assertThat(warnings()).hasSize(2);
    assertThat(warnings().get(1))
        .contains(
            "29999 more events are parked for missing-field", "event e29999 (trace " + TRACE + ")");
  }

  @Test
  void anotherCauseIsToldAtOnceAndOneThatCameBackAgain() {
    log.on(new RelayEvent.Parked(failure("e1", "orders", "too-large")));
    log.on(new RelayEvent.Parked(failure("e2", "bills", "too-large")));
    log.on(new RelayEvent.Dead(failure("e3", "orders", "too-large"), false));
    log.on(new RelayEvent.Parked(failure("e4", "orders", "invalid-record")));
    assertThat(warnings()).hasSize(4);

    pass(RepeatedFailures.INTERVAL);
    log.on(new RelayEvent.Parked(failure("e5", "orders", "too-large")));
    assertThat(warnings()).hasSize(5);
    assertThat(warnings().get(4)).contains("event e5 (trace " + TRACE + ") to orders is parked");
  }

  @Test
  void causesWithoutEndAreToldAsOne() {
    for (int i = 0; i < 1_000; i++) {
      log.on(new RelayEvent.Parked(failure("e" + i, "to-" + i, "invalid-topic")));
    }

    assertThat(warnings()).hasSizeLessThan(110);
  }

  @Test
  void whatWasNotToldIsToldAtTheEnd() {
    log.on(new RelayEvent.Dead(failure("e1", "orders", "too-large"), true));
    log.on(new RelayEvent.Dead(failure("e2", "orders", "too-large"), true));
    log.on(new RelayEvent.Ended("r", null));

    assertThat(warnings().get(1)).contains("1 more event to orders is dead for too-large");
  }

  @Test
  void theFirstPublishedEventIsToldAndNoOther() {
    log.on(new RelayEvent.Published("e1", "placed", null, "orders", 1, 1, 1));
    log.on(new RelayEvent.Published("e2", "placed", null, "orders", 1, 1, 1));

    assertThat(lines(Level.INFO)).singleElement().asString().contains("first event e1 to orders");
  }

  @Test
  void aTakeOverIsOneLineThatSaysFromWhomAndWhy() {
    log.on(new RelayEvent.TakenOver("r2", 7, 21, true, 812));
    log.on(new RelayEvent.TakenOver("r3", 8, 22, false, 15_003));

    assertThat(lines(Level.INFO))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains("r2 (fence 7)", "its session with the database has ended", "812 ms")
                    .contains("21 lanes"),
            line -> assertThat(line).contains("r3 (fence 8)", "did not renew its lease"));
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
    log.on(new RelayEvent.Gauges(0, 0, 0, 0, 0, 0, 0));
  }

  private List<String> warnings() {
    return lines(Level.WARN);
  }

  private List<String> lines(Level level) {
    return lines.list.stream()
        .filter(line -> line.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private static Failure failure(String id, String destination, String reason) {
    return new Failure(
        id, "placed", "00-" + TRACE + "-00f067aa0ba902b7-01", destination, 1, reason, true);
  }
}
