package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.content;
import static io.waybill.spring.internal.api.Parameter.required;
import static io.waybill.spring.internal.api.Parameter.text;
import static io.waybill.spring.internal.api.Parameter.texts;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Correction;
import io.waybill.internal.jdbc.operator.CorrectionException;
import io.waybill.internal.jdbc.operator.Corrections;
import io.waybill.internal.jdbc.operator.Jobs.JobStateException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The correction of an event: planned, then run until the corrected one is appended. */
final class CorrectionChanges {
  private static final int MOST_COUNTED = 10_000;
  private static final int MOST_HEADERS = 100;
  // Both leave room for the rest of the body.
  private static final int MOST_CHARACTERS = 500_000;
  private static final int MOST_DIGITS = 800_000;

  private static final List<Parameter> CORRECTED =
      List.of(
          content("payload", MOST_CHARACTERS, "The right payload, as text."),
          content("payloadBase64", MOST_DIGITS, "The right payload, in Base64."),
          text("contentType", "The right media type of the payload."),
          text("type", "The right type."),
          texts("header", MOST_HEADERS, "A right header, as NAME=VALUE; others stay."));

  static final List<Operation> ALL =
      List.of(
          Operation.change(
                  "/event/correction",
                  "events correct",
                  "Plan the correction of a parked or dead event. The database tries the corrected one"
                      + " and takes it back.",
                  Operations.with(CORRECTED, required("id", "Event id.")),
                  RepairAnswers.CorrectionPlan.class,
                  (admin, call) -> told(() -> plan(admin, call)))
              .by(Role.ADMINISTRATOR),
          Operation.change(
                  "/event/correction/run",
                  "events correct",
                  "Bury the event, then append the corrected one to its key. Repeat the same"
                      + " request while the answer is WAITING.",
                  Operations.with(CORRECTED, required("id", "Id of the plan."), Changes.REASON),
                  RepairAnswers.CorrectionResult.class,
                  (admin, call) -> told(() -> run(admin, call)))
              .by(Role.ADMINISTRATOR));

  private CorrectionChanges() {}

  private static <T> T told(Supplier<T> change) {
    try {
      return change.get();
    } catch (JobStateException e) {
      throw ApiProblem.conflict(String.valueOf(e.getMessage()));
    } catch (CorrectionException e) {
      String field = e.field();
      throw field == null
          ? ApiProblem.conflict(String.valueOf(e.getMessage()))
          : ApiProblem.invalid(field, e.rule(), e.value());
    }
  }

  private static RepairAnswers.CorrectionPlan plan(Admin admin, Call call) {
    String id = Objects.requireNonNull(call.text("id"));
    Corrections corrections = Corrections.of(admin);
    Corrections.Plan plan =
        corrections
            .check(id, correction(call), MOST_COUNTED + 1)
            .orElseThrow(() -> ApiProblem.missing("event", id));
    return new RepairAnswers.CorrectionPlan(
        Long.toString(corrections.plan(id, call.caller()).id()),
        plan.event(),
        Answers.Count.of(plan.behind(), MOST_COUNTED));
  }

  private static RepairAnswers.CorrectionResult run(Admin admin, Call call) {
    long id = Operations.jobId(call);
    Optional<Corrections.Result> result =
        Corrections.of(admin).run(id, correction(call), Changes.instruction(call));
    return result
        .map(
            each ->
                new RepairAnswers.CorrectionResult(
                    Long.toString(id),
                    each.state(),
                    each.eventId(),
                    each.correctedBy(),
                    each.note()))
        .orElseThrow(() -> ApiProblem.missing("job", Long.toString(id)));
  }

  private static Correction correction(Call call) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String header : call.texts("header")) {
      int end = header.indexOf('=');
      if (end < 1) {
        throw ApiProblem.invalid("header", "must be like NAME=VALUE", header);
      }
      headers.put(header.substring(0, end), header.substring(end + 1));
    }
    return new Correction(payload(call), call.text("contentType"), call.text("type"), headers);
  }

  private static byte @Nullable [] payload(Call call) {
    String text = call.text("payload");
    String base64 = call.text("payloadBase64");
    if (text != null && base64 != null) {
      throw ApiProblem.invalid("payloadBase64", "must be absent where payload is given", "");
    }
    try {
      return base64 != null
          ? Base64.getDecoder().decode(base64)
          : text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiProblem.invalid("payloadBase64", "must be Base64", "");
    }
  }
}
