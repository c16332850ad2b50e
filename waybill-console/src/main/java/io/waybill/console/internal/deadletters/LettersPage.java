package io.waybill.console.internal.deadletters;

import io.waybill.console.internal.inbox.InboxPage.Inbox;
import io.waybill.console.internal.layout.Conditions;
import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.ConsumerAnswers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Dead letters of a topic or queue, and the plan to send them again. */
public final class LettersPage implements Page {
  /** Conditions of dead letters, named as the API names them. */
  public static final List<String> CONDITIONS =
      List.of("source", "eventId", "type", "key", "consumer", "error", "redriven");

  private static final int MOST_READ = 20;

  /**
   * The page.
   *
   * @param given conditions by name; empty ones included
   * @param sources topics and queues that are known, with the numbers of their dead letters
   * @param letters as the API has them; null until a source is chosen
   */
  public record Letters(
      Map<String, String> given,
      List<LetterSource> sources,
      ConsumerAnswers.@Nullable DeadLetters letters) {
    /** The conditions as an address, with the place to go on from. */
    public String link(@Nullable String after) {
      return Conditions.link("dead-letters", given, "after", after);
    }

    /** The address of a file with all of them. */
    public String export() {
      return Conditions.link("export", given, "list", "dead-letters");
    }

    /** Whether there is a condition beside the source. */
    public boolean narrowed() {
      return given.entrySet().stream()
          .anyMatch(
              each ->
                  !each.getKey().equals("source")
                      && !each.getKey().equals("redriven")
                      && !each.getValue().isEmpty());
    }
  }

  /** For the console. */
  public LettersPage() {}

  @Override
  public String path() {
    return "dead-letters";
  }

  @Override
  public View show(Visit visit) {
    Map<String, String> given = given(visit);
    ConsumerAnswers.DeadLetters letters = null;
    List<LetterSource> sources = List.of();
    if (given.getOrDefault("source", "").isEmpty()) {
      sources = LetterSource.of(visit, Inbox.of(visit, "100").consumers(), MOST_READ);
    } else {
      letters =
          visit.ask(
              "/dead-letters",
              ConsumerAnswers.DeadLetters.class,
              Conditions.with(given, "after", visit.text("after"), "limit", "50"));
    }
    return new View(
        "deadletters/deadletters.jte", "Dead letters", new Letters(given, sources, letters));
  }

  private static Map<String, String> given(Visit visit) {
    Map<String, String> given = Conditions.of(visit, CONDITIONS);
    if (visit.text("redriven").isEmpty()) {
      given.put("redriven", "excluded");
    }
    return given;
  }

  @Override
  public Reply submit(Visit visit) {
    Answers.JobView job =
        visit.change(
            "/dead-letters/jobs",
            Answers.JobView.class,
            Conditions.with(
                given(visit),
                "canary",
                visit.text("canary"),
                "rate",
                visit.text("rate"),
                "stopAfter",
                visit.text("stopAfter")));
    return new Reply.Next(Link.to("job", "id", job.id()));
  }
}
