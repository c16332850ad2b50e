package io.waybill.console.internal.events;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.RepairAnswers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The correction of an event that is parked or dead: what it holds, what would follow, and how far
 * it is. Right contents are stored nowhere, so each form has them.
 */
public final class CorrectPage implements Page {
  /** What the API takes as the right contents, in the order of the page. */
  private static final List<String> PARTS =
      List.of("payload", "payloadBase64", "contentType", "type");

  /**
   * The page.
   *
   * @param event the event, as the API has it
   * @param contents what it holds, or null while it is masked
   * @param draft the right contents by name; empty ones included
   */
  public record Draft(
      Answers.Event event, Answers.@Nullable Contents contents, Map<String, String> draft) {}

  /**
   * A correction that was looked at, or is under way.
   *
   * @param plan id of the plan
   * @param eventId the event that is buried
   * @param draft the right contents by name; empty ones included
   * @param reason why, or empty until it is said
   * @param looked what would follow, or null once it is under way
   * @param result how far it is, or null until it is under way
   */
  public record Correction(
      String plan,
      String eventId,
      Map<String, String> draft,
      String reason,
      RepairAnswers.@Nullable CorrectionPlan looked,
      RepairAnswers.@Nullable CorrectionResult result) {}

  /** For the console. */
  public CorrectPage() {}

  @Override
  public String path() {
    return "correct";
  }

  @Override
  public View show(Visit visit) {
    return view(visit, null, draft(visit));
  }

  private static View view(
      Visit visit, Answers.@Nullable Contents contents, Map<String, String> draft) {
    Answers.Event event = visit.ask("/event", Answers.Event.class, "id", visit.text("id"));
    return new View("events/correct.jte", "Correct an event", new Draft(event, contents, draft));
  }

  private static Map<String, String> draft(Visit visit) {
    Map<String, String> draft = new LinkedHashMap<>();
    // Forms have other ends of lines.
    PARTS.forEach(name -> draft.put(name, visit.whole(name).replace("\r\n", "\n")));
    draft.put("header", visit.whole("header").replace("\r\n", "\n"));
    return draft;
  }

  @Override
  public Reply submit(Visit visit) {
    return switch (visit.text("action")) {
      case "reveal" -> reveal(visit);
      case "run" -> run(visit);
      default -> plan(visit);
    };
  }

  private static View reveal(Visit visit) {
    Answers.Contents contents =
        visit.change(
            "/event/payload",
            Answers.Contents.class,
            "id",
            visit.text("id"),
            "reason",
            visit.text("reason"));
    Map<String, String> draft = draft(visit);
    if (!contents.cut()) {
      String text = contents.text();
      if (text != null && isTyped(text)) {
        draft.put("payload", text);
      } else {
        draft.put("payloadBase64", base64(contents));
      }
    }
    return view(visit, contents, draft);
  }

  /** Whether a field of a form gives back every character. */
  private static boolean isTyped(String text) {
    return text.chars().noneMatch(each -> each < ' ' && each != '\n' && each != '\t');
  }

  private static String base64(Answers.Contents contents) {
    String text = contents.text();
    return text == null
        ? Objects.requireNonNullElse(contents.base64(), "")
        : Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static View plan(Visit visit) {
    Map<String, String> draft = draft(visit);
    RepairAnswers.CorrectionPlan plan =
        visit.change(
            "/event/correction",
            RepairAnswers.CorrectionPlan.class,
            contents(draft, Map.of("id", visit.text("id"))));
    return new View(
        "events/correction.jte",
        "Correct an event",
        new Correction(plan.id(), plan.event().eventId(), draft, "", plan, null));
  }

  /** The same again while it waits for a relay. */
  private static View run(Visit visit) {
    Map<String, String> draft = draft(visit);
    String plan = visit.text("plan");
    String reason = visit.text("reason");
    RepairAnswers.CorrectionResult result =
        visit.change(
            "/event/correction/run",
            RepairAnswers.CorrectionResult.class,
            contents(draft, Map.of("id", plan, "reason", reason)));
    return new View(
        visit.text("part").equals("now") ? "events/correcting.jte" : "events/correction.jte",
        "Correct an event",
        new Correction(plan, result.eventId(), draft, reason, null, result));
  }

  private static Map<String, List<String>> contents(
      Map<String, String> draft, Map<String, String> more) {
    Map<String, List<String>> contents = new LinkedHashMap<>();
    for (String name : PARTS) {
      String value = draft.getOrDefault(name, "");
      if (!value.isEmpty()) {
        contents.put(name, List.of(value));
      }
    }
    List<String> headers = new ArrayList<>();
    draft.getOrDefault("header", "").lines().filter(line -> !line.isBlank()).forEach(headers::add);
    if (!headers.isEmpty()) {
      contents.put("header", headers);
    }
    more.forEach((name, value) -> contents.put(name, List.of(value)));
    return contents;
  }
}
