package io.waybill.server.correction;

import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Correction;
import io.waybill.internal.jdbc.operator.CorrectionException;
import io.waybill.internal.jdbc.operator.Corrections;
import io.waybill.internal.jdbc.operator.Corrections.Plan;
import io.waybill.internal.jdbc.operator.Corrections.Result;
import io.waybill.internal.jdbc.operator.Jobs.JobStateException;
import io.waybill.internal.jdbc.operator.MissingGrantException;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Buries an event and appends a corrected one, after a dry run. */
public final class EventCorrection {
  private static final int MOST_COUNTED = 10_000;

  private final Corrections corrections;
  private final Output output;
  private final LongConsumer carriesOut;

  /**
   * Corrects events of an outbox.
   *
   * @param corrections those of the outbox
   * @param output where results go
   * @param carriesOut carries out a job until it ends
   */
  public EventCorrection(Corrections corrections, Output output, LongConsumer carriesOut) {
    this.corrections = corrections;
    this.output = output;
    this.carriesOut = carriesOut;
  }

  /**
   * Corrects an event, or says what it would do.
   *
   * @param eventId the event
   * @param correction what is corrected
   * @param by who corrects it and why, or null for a dry run
   * @return exit code
   */
  public int run(String eventId, Correction correction, @Nullable Instruction by) {
    try {
      Plan plan =
          corrections
              .check(eventId, correction, MOST_COUNTED + 1)
              .orElseThrow(
                  () ->
                      new CommandFailure(ExitCode.FINDINGS, "There is no event '" + eventId + "'"));
      return by == null ? dryRun(plan) : run(plan.event(), correction, by);
    } catch (CorrectionException e) {
      throw new CommandFailure(
          e.field() == null ? ExitCode.FINDINGS : ExitCode.USAGE, String.valueOf(e.getMessage()));
    } catch (MissingGrantException | JobStateException e) {
      throw new CommandFailure(ExitCode.FINDINGS, String.valueOf(e.getMessage()));
    }
  }

  private int dryRun(Plan plan) {
    EventView event = plan.event();
    boolean more = plan.behind() > MOST_COUNTED;
    long behind = Math.min(plan.behind(), MOST_COUNTED);
    if (output.json()) {
      Map<String, Object> row = row(true, event.eventId());
      row.put("event", event);
      row.put("behind", behind);
      row.put("more", more);
      output.object(row);
      return ExitCode.OK;
    }
    String key =
        event.aggregateType() == null
            ? "no key"
            : "key %s/%s".formatted(event.aggregateType(), event.aggregateId());
    output.line(
        "Would bury %s (%s, %s, %s) and append a corrected one at the end of its key."
            .formatted(event.eventId(), event.eventType(), event.status(), key));
    output.line(
        "%s%d event(s) of its key wait behind it and go before the corrected one."
            .formatted(more ? "At least " : "", behind));
    if (event.unknownOutcome()) {
      output.line("An attempt had no answer: consumers may have the event as it was.");
    }
    output.line("Nothing was changed. Add --yes and --reason to do it.");
    return ExitCode.OK;
  }

  private int run(EventView event, Correction correction, Instruction by) {
    long job = corrections.plan(event.eventId(), by.by()).id();
    Result result = step(job, correction, by);
    if (result.state() == Corrections.State.WAITING) {
      carriesOut.accept(job);
      result = step(job, correction, by);
    }
    boolean done = result.state() == Corrections.State.DONE;
    if (output.json()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>(row(false, event.eventId()));
      row.put("job", Long.toString(job));
      row.put("state", result.state().name());
      row.put("correctedBy", result.correctedBy());
      row.put("note", result.note());
      output.object(row);
    } else {
      output.line(text(result));
    }
    return done ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private Result step(long job, Correction correction, Instruction by) {
    return corrections
        .run(job, correction, by)
        .orElseThrow(() -> new CommandFailure(ExitCode.FINDINGS, "Job " + job + " is gone"));
  }

  private static String text(Result result) {
    String why = result.note() == null ? "" : ": " + result.note();
    return switch (result.state()) {
      case DONE -> "Buried %s and appended %s.".formatted(result.eventId(), result.correctedBy());
      case REFUSED -> "Nothing was appended%s.".formatted(why);
      case WAITING ->
          "Nothing was appended, since no relay has buried %s yet%s. Repeat the command when it is dead."
              .formatted(result.eventId(), why);
    };
  }

  private static Map<String, Object> row(boolean dryRun, String eventId) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("verb", "correct");
    row.put("dryRun", dryRun);
    row.put("eventId", eventId);
    return row;
  }
}
