package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.internal.jdbc.operator.Rollups;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the history of an outbox, of at most a day.
 *
 * @param items in the order of time and destination; a minute without a relay has none
 * @param next what to give as {@code after} for more, or null if this is the last part
 * @param missing why there is none, and what mends that; null if there is one
 */
public record HistoryPage(List<Item> items, @Nullable String next, @Nullable String missing) {
  /**
   * What was done in one minute or hour.
   *
   * @param at when it begins
   * @param destination empty for the outbox as a whole and for events without a destination
   * @param published events that were confirmed and marked
   * @param refused attempts that the broker refused
   * @param unanswered attempts whose outcome is not known
   * @param parked events that were parked
   * @param dead events that became dead
   * @param latencyMillis mean time from creation to confirmation
   * @param latencyMaxMillis the longest time from creation to confirmation
   * @param oldestMillis of the outbox as a whole: age of the oldest event that waited at the end
   */
  public record Item(
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
    private static Item of(Rollup row) {
      return new Item(
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

  /**
   * Which part is meant.
   *
   * @param since from this time on
   * @param before before this time
   * @param destination one destination, or null for all
   * @param step minutes or hours
   */
  public record Part(
      Instant since, Instant before, @Nullable String destination, Rollups.Step step) {
    /** What follows a page, which has to be one that has more. */
    public Part after(String next) {
      return new Part(Instant.parse(next), before, destination, step);
    }
  }

  /** The beginning of a part, by the database. */
  public static HistoryPage of(Admin admin, Part part) {
    Rollups rollups = Rollups.of(admin);
    String missing = rollups.missing();
    if (missing != null) {
      return new HistoryPage(List.of(), null, missing);
    }
    Rollups.Page page = rollups.list(part.since(), part.before(), part.destination(), part.step());
    return new HistoryPage(
        page.items().stream().map(Item::of).toList(),
        page.next() == null ? null : page.next().toString(),
        null);
  }
}
