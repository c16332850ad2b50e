package io.waybill.server.command;

import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.config.Printable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What came of a redrive, for people and programs. */
final class RedriveAnswer {
  private RedriveAnswer() {}

  /** Nothing is sent. */
  static Map<String, @Nullable Object> without(boolean dryRun, int matched, boolean more) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("verb", "redrive");
    result.put("dryRun", dryRun);
    result.put("matched", matched);
    result.put("more", more);
    result.put("redriven", 0);
    result.put("failure", null);
    return result;
  }

  static Map<String, @Nullable Object> of(Jobs jobs, Job end) {
    Map<String, @Nullable Object> result = without(false, end.matched(), end.more());
    String failure = failure(jobs, end);
    result.put("redriven", end.requested() - end.tally().refused());
    result.put("failure", failure == null ? end.note() : failure);
    result.put("job", Long.toString(end.id()));
    result.put("applied", end.tally().succeeded());
    result.put("failed", end.tally().failed());
    result.put("skipped", end.tally().skipped());
    result.put("unclear", end.tally().unclear());
    result.put("open", end.open());
    return result;
  }

  /** The first that was not sent, or that came back. */
  private static @Nullable String failure(Jobs jobs, Job end) {
    return Stream.of(Job.Outcome.REFUSED, Job.Outcome.FAILED, Job.Outcome.SKIPPED)
        .flatMap(outcome -> jobs.events(end.id(), outcome, 0, 1).stream())
        .map(first -> first.eventId() + ": " + first.note())
        .findFirst()
        .orElse(null);
  }

  /** Whether all were sent and none came back. */
  static boolean isWell(Job end) {
    return end.state() == Job.State.DONE
        && end.tally().succeeded() + end.tally().unclear() == end.matched();
  }

  static void print(Output output, Map<String, @Nullable Object> result) {
    if (output.json()) {
      output.object(result);
      return;
    }
    String sent =
        "%s dead letter(s) matched, %s redriven"
            .formatted(result.get("matched"), result.get("redriven"));
    String became =
        result.containsKey("job")
            ? ": %s applied, %s failed, %s unclear, %s open; %s skipped"
                .formatted(
                    result.get("applied"),
                    result.get("failed"),
                    result.get("unclear"),
                    result.get("open"),
                    result.get("skipped"))
            : "";
    output.line(sent + became + ".");
    Object failure = result.get("failure");
    if (failure != null) {
      output.line("Failed: " + Printable.line(failure.toString()));
    }
  }
}
