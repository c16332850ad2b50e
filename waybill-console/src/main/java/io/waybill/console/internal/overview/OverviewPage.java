package io.waybill.console.internal.overview;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.spring.internal.api.HistoryPage;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wrong now first; then how fast events go, and how the last hour was. */
public final class OverviewPage implements Page {
  static final int FEW = 5;
  private static final int MOST_BUSY = 10;

  /**
   * How all stands.
   *
   * @param troubles what is wrong, the worst first
   * @param status as the API has it
   * @param relays how many run
   * @param destinations how many take no events or are paused
   */
  public record Now(
      List<Trouble> troubles, Answers.Status status, long relays, long destinations) {}

  /** The page. */
  public record Overview(Now now, History history) {}

  /**
   * What is wrong with consumers and the database.
   *
   * @param troubles the worst first
   * @param unknown what could not be looked at, a sentence each
   */
  public record Elsewhere(List<Trouble> troubles, List<String> unknown) {}

  /**
   * The last hour.
   *
   * @param minutes all destinations together
   * @param destinations the busiest ones
   * @param missing why there is no history, or null
   */
  public record History(List<Minute> minutes, List<Busy> destinations, @Nullable String missing) {}

  /** One minute of all destinations. */
  public record Minute(
      Instant at, long published, long failed, long oldestSeconds, long latencyMillis) {
    private static Minute of(Instant at, List<HistoryPage.Item> items) {
      return new Minute(
          at,
          allPublished(items),
          items.stream().mapToLong(each -> each.refused() + each.unanswered()).sum(),
          items.stream().mapToLong(HistoryPage.Item::oldestMillis).max().orElse(0) / 1_000,
          mean(items));
    }
  }

  /** A destination to which events went, and how long they took from creation to confirmation. */
  public record Busy(String destination, long published, long latencyMillis, long longestMillis) {
    private static Busy of(String destination, List<HistoryPage.Item> items) {
      return new Busy(
          destination,
          allPublished(items),
          mean(items),
          items.stream().mapToLong(HistoryPage.Item::latencyMaxMillis).max().orElse(0));
    }
  }

  private static long allPublished(List<HistoryPage.Item> items) {
    return items.stream().mapToLong(HistoryPage.Item::published).sum();
  }

  /** Of all events, not of the means. */
  private static long mean(List<HistoryPage.Item> items) {
    long all = items.stream().mapToLong(each -> each.latencyMillis() * each.published()).sum();
    return all / Math.max(1, allPublished(items));
  }

  /** For the console. */
  public OverviewPage() {}

  @Override
  public boolean isStreamed() {
    return true;
  }

  @Override
  public String path() {
    return "overview";
  }

  @Override
  public View show(Visit visit) {
    return switch (visit.text("part")) {
      case "now" -> new View("overview/now.jte", "Overview", now(visit));
      case "elsewhere" ->
          new View("overview/elsewhere.jte", "Overview", ElsewhereTroubles.of(visit));
      case "history" -> new View("overview/history.jte", "Overview", history(visit));
      default ->
          new View("overview/overview.jte", "Overview", new Overview(now(visit), history(visit)));
    };
  }

  private static History history(Visit visit) {
    HistoryPage history = visit.ask("/history", HistoryPage.class);
    return new History(
        by(history, HistoryPage.Item::at).entrySet().stream()
            .map(each -> Minute.of(each.getKey(), each.getValue()))
            .toList(),
        by(history, HistoryPage.Item::destination).entrySet().stream()
            .map(each -> Busy.of(each.getKey(), each.getValue()))
            .filter(each -> each.published() > 0)
            .sorted(Comparator.comparing(Busy::published).reversed())
            .limit(MOST_BUSY)
            .toList(),
        history.missing());
  }

  private static <K> Map<K, List<HistoryPage.Item>> by(
      HistoryPage history, Function<HistoryPage.Item, K> key) {
    return history.items().stream()
        .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
  }

  private static Now now(Visit visit) {
    String few = Integer.toString(FEW);
    Answers.Status status = visit.ask("", Answers.Status.class);
    return new Now(
        Troubles.of(
            status,
            destinations(visit, status),
            visit.ask("/failures", Answers.Failures.class, "limit", few).items(),
            visit.ask("/keys/blocked", Answers.BlockedKeys.class, "limit", few).items(),
            visit.ask("/jobs", Answers.Jobs.class, "limit", few).items()),
        status,
        Troubles.live(status).size(),
        status.failing().size() + (long) status.paused().size());
  }

  /** Asked for only where one fails or is paused, since it counts failures. */
  private static List<DestinationStanding> destinations(Visit visit, Answers.Status status) {
    return status.failing().isEmpty() && status.paused().isEmpty()
        ? List.of()
        : visit.ask("/destinations", Answers.Destinations.class).items();
  }
}
