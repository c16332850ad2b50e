package io.waybill.bench.scenario;

import io.waybill.bench.stage.Stage;
import io.waybill.layout.Layout;
import io.waybill.layout.Progress;
import io.waybill.layout.StateColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the first waiting rows of all keys tell during an outage, on PostgreSQL. A row has 30
 * seconds from its first failure, and a note that is older than a minute is out of date.
 *
 * @param url JDBC URL
 * @param layout layout of the table
 * @param began when the broker was killed
 */
record WaitingRows(String url, Layout layout, Instant began) {
  private static final Duration TOLD_WITHIN = Duration.ofSeconds(30);
  // A cause is known when the first send of it has no answer, and told in full seconds.
  private static final Duration SINCE_WITHIN = Duration.ofSeconds(31);
  private static final String UNTRUE =
      """
      select count(*) from (
        select distinct on (%s) o.* from %s o where %s order by %s, o.created_at, o.%s
      ) o
      where greatest(o.created_at::timestamptz, timestamptz '%s') < now() - interval '%d s'
        and (%s)
      """;

  /** The number of keys whose first waiting row should tell more, or something else. */
  long untrue() {
    Progress progress = layout.progress();
    List<String> faults = new ArrayList<>();
    if (progress.error() != null) {
      faults.add("o.%1$s is null or o.%1$s not like '%%since %%'".formatted(progress.error()));
      faults.add(
          "abs(extract(epoch from substring(o.%s from 'since ([^,]+),')::timestamptz - '%s')) > %d"
              .formatted(progress.error(), began, SINCE_WITHIN.toSeconds()));
    }
    if (progress.nextAttemptAt() != null) {
      faults.add("o.%s is null".formatted(progress.nextAttemptAt()));
    }
    return faults.isEmpty() ? 0 : Long.parseLong(Stage.ask(url, sql(faults)));
  }

  private String sql(List<String> faults) {
    String key = key();
    return UNTRUE.formatted(
        key,
        layout.table().name(),
        pending(),
        key,
        layout.identity().rowId(),
        began,
        TOLD_WITHIN.toSeconds(),
        String.join(" or ", faults));
  }

  private String key() {
    return switch (layout.name()) {
      case "event-outbox" -> "o.entity_table, o.entity_pk";
      case "polyshop" -> "o.aggregate_id";
      default -> throw new IllegalArgumentException(layout.name() + " tells nothing of its rows");
    };
  }

  /** The condition of rows, of the table as {@code o}, that are not published. */
  String pending() {
    if (layout.progress().state() instanceof StateColumn.Word word) {
      return "o.%s = '%s'".formatted(word.column(), word.pending());
    }
    if (layout.progress().state() instanceof StateColumn.Flag flag) {
      return "not o." + flag.column();
    }
    throw new IllegalArgumentException(layout.name() + " has no column of state");
  }
}
