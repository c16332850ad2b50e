package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.choice;
import static io.waybill.spring.internal.api.Parameter.text;
import static io.waybill.spring.internal.api.Parameter.time;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.internal.jdbc.operator.Rollups.Step;
import io.waybill.internal.work.WallClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What relays did in each minute. */
final class HistoryQuestion {
  private static final Duration USUAL = Duration.ofHours(1);

  static final Operation OPERATION =
      Operation.question(
          "/history",
          "history",
          "The work of relays in each minute or hour, by destination: of the last hour, unless since"
              + " is given. A part has at most one day.",
          List.of(
              time("since", "From this time on."),
              time("before", "Before this time; now without it."),
              text("destination", "One destination: '*' are those beyond 200."),
              choice("step", Step.class, Arrays.stream(Step.values()), "Minutes without it."),
              text("after", "The next of the previous page, for more items.")),
          History.class,
          HistoryQuestion::history);

  private HistoryQuestion() {}

  /**
   * A part of the history.
   *
   * @param items in the order of time and destination; a minute without a relay has none
   * @param next what to give as {@code after} for more
   * @param missing why there is none, and what mends that
   */
  record History(List<HistoryItem> items, @Nullable String next, @Nullable String missing) {}

  /**
   * What was done in one minute or hour.
   *
   * @param destination empty for the outbox as a whole and for events without a destination
   * @param refused attempts that the broker refused
   * @param unanswered attempts whose outcome is not known
   * @param latencyMillis mean time from creation to confirmation
   * @param oldestMillis of the outbox as a whole: age of the oldest event that waited at the end
   */
  record HistoryItem(
      Instant at,
      String destination,
      long published,
      long refused,
      long unanswered,
      long parked,
      long dead,
      long latencyMillis,
      long latencyMaxMillis,
      long oldestMillis) {
    static HistoryItem of(Rollup row) {
      return new HistoryItem(
          row.at(),
          row.destination(),
          row.published(),
          row.refused(),
          row.unanswered(),
          row.parked(),
          row.dead(),
          row.latencyMillis(),
          row.latencyMaxMillis(),
          row.oldestMillis());
    }
  }

  private static History history(Admin admin, Call call) {
    Rollups rollups = Rollups.of(admin);
    Instant before = Objects.requireNonNullElseGet(call.time("before"), WallClock.SYSTEM::instant);
    Instant since = Objects.requireNonNullElseGet(call.time("since"), () -> before.minus(USUAL));
    Instant begin = after(call, since);
    Step step = call.choice("step", Step.class);
    String missing = rollups.missing();
    if (missing != null) {
      return new History(List.of(), null, missing);
    }
    Rollups.Page page =
        rollups.list(begin, before, call.text("destination"), step == null ? Step.MINUTE : step);
    return new History(
        page.items().stream().map(HistoryItem::of).toList(),
        page.next() == null ? null : page.next().toString(),
        null);
  }

  private static Instant after(Call call, Instant since) {
    String after = call.text("after");
    try {
      Instant begin = after == null ? since : Instant.parse(after);
      return begin.isBefore(since) ? since : begin;
    } catch (DateTimeException e) {
      throw ApiProblem.invalid("after", Operations.NEXT, String.valueOf(after));
    }
  }
}
