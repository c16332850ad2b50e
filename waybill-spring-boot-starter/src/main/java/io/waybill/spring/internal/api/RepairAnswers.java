package io.waybill.spring.internal.api;

import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.operator.Corrections;
import io.waybill.spring.internal.api.Answers.Count;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of corrections and removals. */
public final class RepairAnswers {
  private RepairAnswers() {}

  /**
   * A correction that would be made.
   *
   * @param id id of the job that buries the event
   * @param event the event that would be buried
   * @param behind what waits behind it and goes before the corrected one
   */
  public record CorrectionPlan(String id, EventView event, Count behind) {}

  /**
   * How far a correction is.
   *
   * @param id id of its job
   * @param correctedBy id of the event that was appended
   * @param note why nothing is appended
   */
  public record CorrectionResult(
      String id,
      Corrections.State state,
      String eventId,
      @Nullable String correctedBy,
      @Nullable String note) {}

  /**
   * Dead events that would be removed.
   *
   * @param events how many there are
   * @param items the first of them
   */
  public record PurgePlan(Count events, List<EventView> items) {}

  public record PurgeResult(List<PurgedEvent> items, int removed) {}

  /**
   * The outcome for an event that was to be removed.
   *
   * @param state of one that is left; null where there is no such event
   */
  public record PurgedEvent(String eventId, Purged outcome, @Nullable EventStatus state) {}

  /** Whether an event was removed. */
  public enum Purged {
    REMOVED,
    LEFT
  }
}
