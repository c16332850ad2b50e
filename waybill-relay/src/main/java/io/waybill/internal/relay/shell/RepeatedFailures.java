package io.waybill.internal.relay.shell;

import io.waybill.internal.work.Ticker;
import io.waybill.observe.RelayEvent.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events that end for one cause: the first is told in full, those that follow as a number at
 * intervals. The rows of all of them have the reason. Thread-safe.
 */
final class RepeatedFailures {
  static final Duration INTERVAL = Duration.ofMinutes(1);

  /** Beyond them, events are told as if they had one cause in common. */
  private static final int MOST_CAUSES = 100;

  private final Ticker ticker;
  private final Map<Cause, Row> rows = new LinkedHashMap<>();

  /**
   * Why events ended.
   *
   * @param end what became of them
   * @param destination where they were to go
   * @param reason class of the failure
   */
  record Cause(String end, String destination, String reason) {}

  /**
   * Events that were not told one by one.
   *
   * @param cause why they ended
   * @param events how many
   * @param latest the latest of them
   */
  record Summary(Cause cause, long events, Failure latest) {}

  private static final class Row {
    private long told;
    private long events;
    private Failure latest;

    Row(long told, Failure first) {
      this.told = told;
      this.latest = first;
    }
  }

  RepeatedFailures(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Whether it is the first in a row; others are counted. */
  synchronized boolean isFirst(String end, Failure failure) {
    Cause cause = new Cause(end, failure.destination(), failure.reason());
    if (!rows.containsKey(cause) && rows.size() >= MOST_CAUSES) {
      cause = new Cause(end, "", "various");
    }
    Row row = rows.get(cause);
    if (row == null) {
      rows.put(cause, new Row(ticker.nanos(), failure));
      return true;
    }
    row.events++;
    row.latest = failure;
    return false;
  }

  /** What is to be told now; a cause of which nothing came in an interval is forgotten. */
  List<Summary> due() {
    return due(INTERVAL);
  }

  /** Everything that was not told. */
  List<Summary> rest() {
    return due(Duration.ZERO);
  }

  private synchronized List<Summary> due(Duration interval) {
    List<Summary> due = new ArrayList<>();
    long now = ticker.nanos();
    for (Iterator<Map.Entry<Cause, Row>> each = rows.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Cause, Row> entry = each.next();
      Row row = entry.getValue();
      if (now - row.told < interval.toNanos()) {
        continue;
      }
      if (row.events == 0) {
        each.remove();
      } else {
        due.add(new Summary(entry.getKey(), row.events, row.latest));
        row.told = now;
        row.events = 0;
      }
    }
    return due;
  }
}
