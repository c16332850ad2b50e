package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.choice;
import static io.waybill.spring.internal.api.Parameter.text;
import static io.waybill.spring.internal.api.Parameter.time;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Rollups.Step;
import io.waybill.internal.work.WallClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

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
          HistoryPage.class,
          HistoryQuestion::history);

  private HistoryQuestion() {}

  private static HistoryPage history(Admin admin, Call call) {
    Instant before = Objects.requireNonNullElseGet(call.time("before"), WallClock.SYSTEM::instant);
    Instant since = Objects.requireNonNullElseGet(call.time("since"), () -> before.minus(USUAL));
    Step step = Objects.requireNonNullElse(call.choice("step", Step.class), Step.MINUTE);
    return HistoryPage.of(
        admin,
        new HistoryPage.Part(after(call, since, before), before, call.text("destination"), step));
  }

  /** Where the page begins, within the time that is asked for. */
  private static Instant after(Call call, Instant since, Instant before) {
    String after = call.text("after");
    try {
      Instant begin = after == null ? since : Instant.parse(after);
      Instant last = begin.isAfter(before) ? before : begin;
      return last.isBefore(since) ? since : last;
    } catch (DateTimeException e) {
      throw ApiProblem.invalid("after", Operations.NEXT, String.valueOf(after));
    }
  }
}
