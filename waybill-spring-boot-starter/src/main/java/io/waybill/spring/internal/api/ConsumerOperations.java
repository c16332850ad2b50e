package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Operations.with;
import static io.waybill.spring.internal.api.Parameter.choice;
import static io.waybill.spring.internal.api.Parameter.number;
import static io.waybill.spring.internal.api.Parameter.required;
import static io.waybill.spring.internal.api.Parameter.text;
import static io.waybill.spring.internal.api.Parameter.texts;
import static io.waybill.spring.internal.api.Parameter.time;

import io.waybill.admin.Admin;
import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.DeadLetterReader;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.jdbc.operator.InboxAdmin;
import io.waybill.internal.jdbc.operator.InboxAdmin.ConsumerView;
import io.waybill.internal.jdbc.operator.JobLetters;
import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.message.Transport;
import io.waybill.spring.internal.consumers.ConsumedSource;
import io.waybill.spring.internal.consumers.DeadLetterFilter;
import io.waybill.spring.internal.consumers.DeadLetterSearch;
import io.waybill.spring.internal.consumers.DeadLetterSearch.Bounds;
import io.waybill.spring.internal.consumers.DeadLetterSearch.Found;
import io.waybill.spring.internal.consumers.LookRefusedException;
import io.waybill.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What can be asked of consumers beside an outbox, and of their dead letters. */
final class ConsumerOperations {
  private static final int USUAL = 100;
  private static final int MOST_COUNTED = 10_000;
  private static final int MOST_READ = 10_000;
  private static final int MOST_IDS = 100;
  // A topic has 249 characters, a queue 255 bytes, ".dlt" included.
  private static final int LONGEST_SOURCE = 245;
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Set<String> NO_SUCH_TABLE = Set.of("42P01", "42S02");

  private static final Parameter AFTER =
      text("after", "The next of the previous page, for more items.");
  private static final Parameter ID = texts("eventId", MOST_IDS, "Dead letters of these events.");
  private static final List<Parameter> FILTER =
      List.of(
          required("source", "Topic or queue that the dead letters come from.")
              .atMost(LONGEST_SOURCE),
          ID,
          text("type", "Dead letters of events of this type."),
          text("key", "Aggregate type, slash, aggregate id; or the id alone."),
          text("consumer", "Dead letters of this consumer."),
          text("error", "The reason, or the class of the error with or without package."),
          time("since", "Failed at this time or later."),
          time("before", "Failed before this time."),
          choice(
              "redriven",
              Redriven.class,
              Arrays.stream(Redriven.values()),
              "Whether dead letters of a topic that were sent again before are meant too."));

  static final List<Operation> QUESTIONS =
      List.of(
          Operation.question(
              "/consumers",
              "consumers",
              "Consumers with inboxes in the schema of the outbox: lag, dead letters, and what they have deferred.",
              List.of(
                  AFTER,
                  number("limit", 1, USUAL, USUAL, "Most consumers; each costs a few statements.")),
              ConsumerAnswers.Consumers.class,
              ConsumerOperations::consumers),
          Operation.question(
              "/dead-letters",
              "dead-letters list",
              "Dead letters of a topic or queue, in the order of their places.",
              with(FILTER, AFTER, number("limit", 1, 1_000, USUAL, "Most dead letters.")),
              ConsumerAnswers.DeadLetters.class,
              ConsumerOperations::letters),
          Operation.question(
              "/dead-letter",
              "dead-letters show",
              "The dead letters of an event, but for payload and headers.",
              List.of(
                  FILTER.get(0),
                  required("id", "Event id."),
                  AFTER,
                  number("limit", 1, USUAL, USUAL, "Most dead letters.")),
              ConsumerAnswers.DeadLetters.class,
              ConsumerOperations::letter));

  static final List<Operation> CHANGES =
      List.of(
          Operation.change(
              "/dead-letters/jobs",
              "dead-letters redrive",
              "Plan a redrive of dead letters: finds them, and sends nothing.",
              with(
                  with(
                      FILTER,
                      text(
                          "for",
                          "The inbox that is to handle them; usually that of each dead letter."),
                      number("limit", 1, MOST_READ, 1_000, "Most dead letters.")),
                  Changes.PACE.toArray(Parameter[]::new)),
              Answers.JobView.class,
              ConsumerOperations::plan));

  /** Whether letters that were sent again are meant. */
  enum Redriven {
    INCLUDED,
    EXCLUDED
  }

  private ConsumerOperations() {}

  private static ConsumerAnswers.Consumers consumers(Admin admin, Call call) {
    int limit = call.numberOf("limit");
    String after = Objects.requireNonNullElse(call.text("after"), "");
    List<ConsumerView> found = consumers(admin, after, limit);
    Map<String, List<ConsumedSource>> sources;
    String problem = null;
    try {
      sources = call.broker().ask(broker -> ConsumedSource.of(broker, broker.transport(), found));
    } catch (ApiProblem away) {
      // The database knows the rest.
      problem = away.getMessage();
      sources =
          call.broker()
              .transport()
              .map(kind -> ConsumedSource.of(null, kind, found))
              .orElse(Map.of());
    }
    Map<String, List<ConsumedSource>> known = sources;
    return new ConsumerAnswers.Consumers(
        call.broker().transport().orElse(null),
        found.stream()
            .map(
                each ->
                    ConsumerAnswers.Consumer.of(
                        each, known.getOrDefault(each.consumer(), List.of()), MOST_COUNTED))
            .toList(),
        problem,
        found.size() < limit ? null : found.get(found.size() - 1).consumer());
  }

  private static List<ConsumerView> consumers(Admin admin, String after, int limit) {
    try {
      return InboxAdmin.of(admin).consumers(after, limit, MOST_COUNTED + 1);
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException sql && NO_SUCH_TABLE.contains(sql.getSQLState())) {
        throw ApiProblem.missing(
            "There are no tables of an inbox in the schema of the outbox: schema apply --inbox makes"
                + " them");
      }
      throw e;
    }
  }

  private static ConsumerAnswers.DeadLetters letters(Admin admin, Call call) {
    Redriven redriven = call.choice("redriven", Redriven.class);
    return letters(admin, call, filter(call), redriven != Redriven.EXCLUDED);
  }

  private static ConsumerAnswers.DeadLetters letter(Admin admin, Call call) {
    String id = Objects.requireNonNull(call.text("id"));
    DeadLetterFilter filter = new DeadLetterFilter(List.of(id), null, null, null, null, null, null);
    ConsumerAnswers.DeadLetters letters = letters(admin, call, filter, true);
    if (letters.items().isEmpty() && !letters.more()) {
      throw ApiProblem.missing("dead letter of event", id);
    }
    return letters;
  }

  private static ConsumerAnswers.DeadLetters letters(
      Admin admin, Call call, DeadLetterFilter filter, boolean withRedriven) {
    Bounds bounds = new Bounds(call.numberOf("limit"), withRedriven, false, MOST_READ, LOOK);
    Found<ConsumerAnswers.DeadLetterSummary> found =
        look(
            admin,
            call,
            call.text("after"),
            (reader, search) ->
                search.find(
                    filter,
                    bounds,
                    letter -> ConsumerAnswers.DeadLetterSummary.of(search, letter)));
    return new ConsumerAnswers.DeadLetters(found.letters(), found.more(), found.reached());
  }

  private static String source(Call call) {
    return DeadLetter.sourceOf(Objects.requireNonNull(call.text("source")));
  }

  private static <T> T look(
      Admin admin,
      Call call,
      @Nullable String after,
      BiFunction<DeadLetterReader, DeadLetterSearch, T> question) {
    String source = source(call);
    String name = DeadLetter.nameOf(source);
    return call.broker()
        .ask(
            broker -> {
              if (after != null && broker.transport() == Transport.RABBITMQ) {
                throw ApiProblem.invalid("after", "is for topics: a queue has no pages", after);
              }
              try (DeadLetterReader reader = open(broker, source, name, after)) {
                return question.apply(reader, new DeadLetterSearch(reader, admin, name));
              } catch (LookRefusedException e) {
                throw ApiProblem.conflict(
                    e.getMessage() + ". Nothing was done; the command line has --despite-limit");
              }
            });
  }

  private static DeadLetterReader open(
      ConsumableBroker broker, String source, String name, @Nullable String after) {
    try {
      // The names that the broker takes.
      broker.deadLetters(source);
    } catch (IllegalArgumentException e) {
      throw ApiProblem.invalid("source", String.valueOf(e.getMessage()), source);
    }
    try {
      return broker.deadLetterReader(name, after);
    } catch (IllegalArgumentException e) {
      throw ApiProblem.invalid("after", "must be the next of a previous page", "" + after);
    }
  }

  private static DeadLetterFilter filter(Call call) {
    return new DeadLetterFilter(
        call.texts("eventId"),
        call.text("type"),
        call.text("key"),
        call.text("consumer"),
        call.text("error"),
        call.time("since"),
        call.time("before"));
  }

  private static Answers.JobView plan(Admin admin, Call call) {
    DeadLetterFilter filter = filter(call);
    if (filter.isEmpty()) {
      throw ApiProblem.invalid("filter", "must have a condition other than the source", "{}");
    }
    boolean again = call.choice("redriven", Redriven.class) == Redriven.INCLUDED;
    Bounds bounds = new Bounds(call.numberOf("limit"), again, false, MOST_READ, LOOK);
    String target = call.text("for");
    JobLetters.Plan plan =
        look(
            admin,
            call,
            null,
            (reader, search) -> {
              Found<Letter> found = search.letters(filter, bounds);
              refuseAnother(target, reader, found.letters());
              return new JobLetters.Plan(
                  source(call), false, found.letters(), target, found.more());
            });
    return Answers.JobView.of(Jobs.of(admin).plan(plan, Changes.pace(call), call.caller()));
  }

  /** A queue has one consumer: it would make a letter of it again. */
  private static void refuseAnother(
      @Nullable String target, DeadLetterReader reader, List<Letter> letters) {
    for (Letter letter : reader.keeps() || target == null ? List.<Letter>of() : letters) {
      if (letter.consumer() != null && !letter.consumer().equals(target)) {
        throw ApiProblem.invalid(
            "for",
            "must be '%s', which dead-lettered %s: a queue belongs to one consumer"
                .formatted(letter.consumer(), letter.eventId()),
            String.valueOf(target));
      }
    }
  }
}
