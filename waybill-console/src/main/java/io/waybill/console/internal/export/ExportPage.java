package io.waybill.console.internal.export;

import io.waybill.console.internal.deadletters.LettersPage;
import io.waybill.console.internal.layout.Conditions;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ConsumerAnswers;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A list as a file, found page by page while it is sent, with what the API shows. */
public final class ExportPage implements Page {
  /** Most items of a file. */
  private static final int MOST = 10_000;

  /** Most questions for one: a search of few events has short pages. */
  private static final int MOST_ASKED = 100;

  /** A page of the API. */
  private record Part(List<?> items, @Nullable String next) {}

  /** Asks for a page. */
  private interface Question {
    Part ask(Visit visit, @Nullable String... parameters);
  }

  /**
   * A list.
   *
   * @param conditions those that it takes, besides the place to go on from
   * @param limit most items that the API gives at a time
   * @param question asks for a page
   */
  private record Listing(List<String> conditions, int limit, Question question) {}

  private static final Map<String, Listing> LISTS =
      Map.of(
          "events",
          new Listing(
              Conditions.EVENTS,
              1_000,
              (visit, parameters) -> {
                Answers.Events page = visit.ask("/events/latest", Answers.Events.class, parameters);
                return new Part(page.items(), page.next());
              }),
          "failures",
          new Listing(
              List.of("state"),
              100,
              (visit, parameters) -> {
                Answers.Failures page = visit.ask("/failures", Answers.Failures.class, parameters);
                return new Part(page.items(), page.next());
              }),
          "keys",
          new Listing(
              List.of(),
              100,
              (visit, parameters) -> {
                Answers.BlockedKeys page =
                    visit.ask("/keys/blocked", Answers.BlockedKeys.class, parameters);
                return new Part(page.items(), page.next());
              }),
          "audit",
          new Listing(
              List.of(),
              1_000,
              (visit, parameters) -> {
                Answers.Audit page = visit.ask("/audit", Answers.Audit.class, parameters);
                return new Part(page.items(), page.next());
              }),
          "dead-letters",
          new Listing(
              LettersPage.CONDITIONS,
              1_000,
              (visit, parameters) -> {
                ConsumerAnswers.DeadLetters page =
                    visit.ask("/dead-letters", ConsumerAnswers.DeadLetters.class, parameters);
                return new Part(page.items(), page.next());
              }));

  /**
   * The last line of a file: one without it was cut.
   *
   * @param items how many lines stand before it
   * @param next what to give as {@code after} for more; null if there are none
   * @param problem why it ended before its bound, or null
   */
  public record End(int items, @Nullable String next, @Nullable String problem) {}

  /** For the console. */
  public ExportPage() {}

  @Override
  public String path() {
    return "export";
  }

  @Override
  public boolean isSeen() {
    return false;
  }

  @Override
  public Reply show(Visit visit) {
    String list = visit.text("list");
    Listing listing = LISTS.get(list);
    if (listing == null) {
      return new Reply.Next("events");
    }
    Map<String, String> given = Conditions.of(visit, listing.conditions());
    String outbox = visit.outbox().replaceAll("[^\\w.-]", "_");
    return new Reply.Lines(
        "waybill-%s-%s.ndjson".formatted(outbox, list),
        new Lines(visit, listing, given, visit.text("after")));
  }

  /** Asks for the next page when the one before is sent; the first one may be refused. */
  private static final class Lines implements Iterator<Object> {
    private final Visit visit;
    private final Listing listing;
    private final Map<String, String> given;
    private Iterator<?> part;
    private @Nullable String next;
    private int items;
    private int asked = 1;
    private @Nullable String problem;
    private boolean ended;

    Lines(Visit visit, Listing listing, Map<String, String> given, String after) {
      this.visit = visit;
      this.listing = listing;
      this.given = given;
      Part first = ask(after);
      this.part = first.items().iterator();
      this.next = first.next();
    }

    private Part ask(@Nullable String after) {
      String limit = Integer.toString(Math.min(listing.limit(), MOST - items));
      return listing.question().ask(visit, Conditions.with(given, "after", after, "limit", limit));
    }

    @Override
    public boolean hasNext() {
      return !ended;
    }

    @Override
    public Object next() {
      if (ended) {
        throw new NoSuchElementException();
      }
      while (!part.hasNext() && next != null && items < MOST && asked < MOST_ASKED && turn()) {
        asked++;
      }
      if (part.hasNext()) {
        items++;
        return part.next();
      }
      ended = true;
      return new End(items, next, problem);
    }

    private boolean turn() {
      try {
        Part more = ask(next);
        part = more.items().iterator();
        next = more.next();
        return true;
      } catch (ApiProblem refused) {
        // The status is sent already.
        problem = refused.getMessage();
        return false;
      }
    }
  }
}
