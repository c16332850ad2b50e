package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.internal.jdbc.operator.Rollups.Step;
import io.waybill.internal.jdbc.operator.Throughput;
import io.waybill.internal.start.HistoryJob;
import io.waybill.internal.start.RelayHistory;
import io.waybill.observe.RelayEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What relays did in each minute is written, read and forgotten, beside any table. */
abstract class RollupContract extends OperatedContract {
  private static final Duration KEPT = Duration.ofDays(14);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  // Of the database's clock, which is this machine's.
  private final Instant begin =
      Instant.now().minus(Duration.ofMinutes(4)).truncatedTo(ChronoUnit.MINUTES);
  private Instant now = begin;

  private RelayHistory history() {
    return new RelayHistory(() -> now);
  }

  private HistoryJob job(RelayHistory history) {
    HistoryJob job = new HistoryJob("orders", admin(), KEPT, history);
    // The first one asks for names.
    job.turn();
    return job;
  }

  private static RelayEvent published(String destination, long micros) {
    return new RelayEvent.Published("e", "t", null, destination, micros, 0, 0);
  }

  private static RelayEvent gauges(long oldestMillis) {
    return new RelayEvent.Gauges(0, 0, 0, 0, 0, 0, oldestMillis);
  }

  private static RelayEvent.Failure failure(String destination) {
    return new RelayEvent.Failure("e", "t", null, destination, 1, "nack", true);
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private List<Rollup> written() {
    try (Admin admin = admin()) {
      return Rollups.of(admin).list(begin, now.plus(MINUTE), null, Step.MINUTE).items();
    }
  }

  @Test
  void relaysAddToTheSameMinute() {
    RelayHistory first = history();
    RelayHistory second = history();
    HistoryJob one = job(first);
    HistoryJob other = job(second);
    first.on(published("orders", 2_000));
    first.on(published("orders", 4_000));
    first.on(new RelayEvent.Retried(failure("orders"), true, 10));
    first.on(new RelayEvent.Parked(failure("")));
    first.on(gauges(900));
    first.on(gauges(300));
    second.on(published("orders", 9_000));
    second.on(new RelayEvent.Retried(failure("orders"), false, 10));
    second.on(new RelayEvent.Dead(failure("bills"), true));
    second.on(gauges(500));
    one.turn();
    assertThat(written()).as("the minute is not over").isEmpty();
    pass(MINUTE);
    one.turn();
    other.turn();

    assertThat(written())
        .containsExactly(
            new Rollup(begin, "", 0, 0, 0, 1, 0, 0, 0, 500),
            new Rollup(begin, "bills", 0, 0, 0, 0, 1, 0, 0, 0),
            new Rollup(begin, "orders", 3, 1, 1, 0, 0, 15_000, 9_000, 0));
    one.close(Duration.ofSeconds(5));
    other.close(Duration.ofSeconds(5));
    assertThat(written()).as("nothing is written twice").hasSize(3);
  }

  @Test
  void whatARelayDidLastIsWrittenWhenItStops() {
    RelayHistory history = history();
    HistoryJob job = job(history);
    history.on(published("orders", 1));
    job.close(Duration.ofSeconds(5));
    assertThat(written()).singleElement().returns(1L, Rollup::published);

    RelayHistory after = history();
    HistoryJob restarted = job(after);
    after.on(published("orders", 1));
    restarted.close(Duration.ofSeconds(5));
    assertThat(written()).singleElement().returns(2L, Rollup::published);

    after.on(published("orders", 1));
    new HistoryJob("orders", admin(), KEPT, after).close(Duration.ZERO);
    assertThat(written()).singleElement().returns(2L, Rollup::published);
  }

  @Test
  void destinationsBeyondTwoHundredShareOneRow() {
    RelayHistory history = history();
    HistoryJob job = job(history);
    IntStream.range(0, 250).forEach(i -> history.on(published("d" + i, 1)));
    pass(MINUTE);
    job.turn();
    List<Rollup> rows = written();
    assertThat(rows).hasSize(201);
    assertThat(rows.stream().filter(row -> row.destination().equals(Rollup.OTHERS)))
        .singleElement()
        .returns(50L, Rollup::published);
    job.close(Duration.ZERO);

    // The next relay knows which ones they are.
    RelayHistory next = history();
    HistoryJob restarted = job(next);
    next.on(published("new", 1));
    next.on(published("d7", 1));
    pass(MINUTE);
    restarted.turn();
    assertThat(written())
        .hasSize(203)
        .filteredOn(row -> !row.at().equals(begin))
        .extracting(Rollup::destination)
        .containsExactly(Rollup.OTHERS, "d7");
    restarted.close(Duration.ZERO);
  }

  @Test
  void oldMinutesAreForgottenAFewHoursAtATime() {
    try (Admin admin = admin()) {
      Rollups rollups = Rollups.of(admin);
      List<Rollup> rows =
          IntStream.rangeClosed(0, 20)
              .mapToObj(i -> Rollup.none(begin.minus(KEPT).minus(Duration.ofHours(20 - i)), "d"))
              .toList();
      rollups.add(rows);
      assertThat(rollups.forget(KEPT)).isEqualTo(6);
      assertThat(rollups.forget(KEPT)).isEqualTo(6);
      assertThat(rollups.forget(KEPT)).isEqualTo(6);
      assertThat(rollups.forget(KEPT)).isEqualTo(3);
      assertThat(rollups.forget(KEPT)).isZero();
    }
  }

  @Test
  void partsFollowEachOtherByWholeSteps() {
    try (Admin admin = admin()) {
      Rollups rollups = Rollups.of(admin);
      Instant hour = begin.truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(2));
      for (int minute = 0; minute < 90; minute++) {
        Instant at = hour.plus(MINUTE.multipliedBy(minute));
        rollups.add(
            IntStream.range(100, 140)
                .mapToObj(i -> new Rollup(at, "d" + i, 1, 0, 0, 0, 0, 5, i, 0))
                .toList());
      }
      Rollups.Page first = rollups.list(hour, begin, null, Step.MINUTE);
      assertThat(first.items()).hasSize(25 * 40);
      assertThat(first.next()).isEqualTo(hour.plus(MINUTE.multipliedBy(25)));

      Rollups.Page hours = rollups.list(hour, begin, null, Step.HOUR);
      assertThat(hours.next()).isNull();
      assertThat(hours.items())
          .hasSize(80)
          .startsWith(new Rollup(hour, "d100", 60, 0, 0, 0, 0, 300, 100, 0))
          .endsWith(
              new Rollup(hour.plus(Duration.ofHours(1)), "d139", 30, 0, 0, 0, 0, 150, 139, 0));

      assertThat(rollups.list(hour, begin, "d120", Step.MINUTE).items()).hasSize(90);

      Instant day = hour.minus(Duration.ofDays(1));
      Rollups.Page empty = rollups.list(day, begin, null, Step.MINUTE);
      assertThat(empty.items()).isEmpty();
      assertThat(empty.next()).as("a part has one day").isEqualTo(hour);
    }
  }

  @Test
  void theAgeOfTheOldestEventTellsWhenAllWillHaveCaughtUp() {
    RelayHistory history = history();
    HistoryJob job = job(history);
    try (Admin admin = admin()) {
      Rollups rollups = Rollups.of(admin);
      assertThat(rollups.throughput().unknown()).contains("No relay has written");
      for (int minute = 0; minute < 4; minute++) {
        for (int event = 0; event < 120; event++) {
          history.on(published("orders", 1));
        }
        history.on(gauges(Duration.ofHours(1).toMillis() - minute * 300_000L));
        pass(MINUTE);
      }
      job.turn();
      Throughput throughput = rollups.throughput();
      assertThat(throughput.publishedPerSecond()).isEqualTo(2);
      assertThat(throughput.failedPerSecond()).isZero();
      assertThat(throughput.until()).isEqualTo(now);
      // 2,700 s of age go at 5 s a second, since less than some minutes.
      assertThat(throughput.caughtUpSeconds()).isBetween(300L, 540L);
      assertThat(throughput.unknown()).isNull();

      history.on(gauges(Duration.ofHours(2).toMillis()));
      pass(MINUTE);
      job.turn();
      assertThat(rollups.throughput())
          .returns(null, Throughput::caughtUpSeconds)
          .extracting(Throughput::unknown)
          .asString()
          .contains("gets no younger: 3600 s, and 7200 s after 240 s");
      history.on(gauges(100));
      pass(MINUTE);
      job.turn();
      assertThat(rollups.throughput().caughtUpSeconds()).isZero();
    }
    job.close(Duration.ZERO);
  }

  @Test
  void withoutTheTableOneWarningSaysSoAndItGoesOnWhenItIsThere() throws SQLException {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger logger = (Logger) LoggerFactory.getLogger(HistoryJob.class);
    logger.addAppender(lines);
    RelayHistory history = history();
    HistoryJob job = job(history);
    rename("", "_away");
    try (Admin admin = admin()) {
      for (int turn = 1; turn < 150; turn++) {
        history.on(published("orders", 1));
        pass(MINUTE);
        job.turn();
      }
      assertThat(Rollups.of(admin).missing()).contains("rollup is missing", "fix: ");
      assertThat(Rollups.of(admin).throughput().unknown()).contains("There is no history");
    } finally {
      rename("_away", "");
    }
    for (int turn = 0; turn < 60 && lines.list.size() < 2; turn++) {
      history.on(published("orders", 1));
      pass(MINUTE);
      job.turn();
    }
    logger.detachAppender(lines);
    job.close(Duration.ZERO);
    assertThat(lines.list)
        .filteredOn(line -> line.getLevel() == Level.WARN)
        .singleElement()
        .extracting(ILoggingEvent::getFormattedMessage)
        .asString()
        .contains("its history cannot be written", "rollup", "fix: waybill schema apply");
    assertThat(lines.list)
        .filteredOn(line -> line.getLevel() == Level.INFO)
        .singleElement()
        .extracting(ILoggingEvent::getFormattedMessage)
        .isEqualTo("outbox orders: its history is written again");
    try (Admin admin = admin()) {
      assertThat(Rollups.of(admin).missing()).isNull();
    }
  }

  private void rename(String from, String to) throws SQLException {
    String schema = fixture().table("rollup").replaceAll("[^.]*$", "");
    String table = fixture().table("rollup").substring(schema.length()).replaceAll("[`\"]", "");
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
      statement.execute(
          "alter table %s rename to %s"
              .formatted(schema + table + from, (postgres ? "" : schema) + table + to));
    }
  }
}
