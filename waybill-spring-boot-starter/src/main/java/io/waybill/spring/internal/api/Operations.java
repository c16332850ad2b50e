package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.choice;
import static io.waybill.spring.internal.api.Parameter.number;
import static io.waybill.spring.internal.api.Parameter.required;
import static io.waybill.spring.internal.api.Parameter.text;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventCount;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.internal.jdbc.operator.CorrectionLinks;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.Notes;
import io.waybill.internal.jdbc.operator.VainRetries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked of an outbox, once: for addresses, their description and rights. */
final class Operations {
  private static final int MOST_LISTED = 1_000;
  private static final int USUAL = 100;
  private static final int MOST_COUNTED = 10_000;
  static final String NEXT = "must be the next of a previous page";
  private static final String SHORT = " A page that is not full can have a next.";

  private static final Parameter FEW =
      number("limit", 1, USUAL, USUAL, "Most items of the answer; each costs a few statements.");
  private static final Parameter LIMIT =
      number("limit", 1, MOST_LISTED, USUAL, "Most items of the answer.");
  private static final Parameter AFTER =
      text("after", "The next of the previous page, for more items.");

  private static final List<Operation> QUESTIONS =
      List.of(
          Operation.question(
              "/events",
              "events list",
              "Events in the order of their rows." + SHORT,
              with(Conditions.PARAMETERS, AFTER, LIMIT),
              Answers.Events.class,
              Operations::events),
          Operation.question(
              "/events/latest",
              "events list",
              "The last events in the order of their rows, the last one first." + SHORT,
              with(Conditions.PARAMETERS, AFTER, LIMIT),
              Answers.Events.class,
              Operations::latest),
          Operation.question(
              "/events/count",
              "events count",
              "Number of events, up to 10,000: among all rows, or among those up to the next.",
              with(Conditions.PARAMETERS, AFTER),
              Answers.Counted.class,
              Operations::count),
          Operation.question(
              "/event",
              "events show",
              "Everything known about an event, but for its payload and headers.",
              List.of(required("id", "Event id.")),
              Answers.Event.class,
              Operations::event),
          Operation.question(
              "/failures",
              "failures list",
              "Groups of failures by type, destination and reason, each with up to 10,000 events counted.",
              List.of(
                  choice(
                      "state",
                      EventStatus.class,
                      Stream.of(EventStatus.PARKED, EventStatus.DEAD, EventStatus.PENDING),
                      "State of the events; parked without it."),
                  AFTER,
                  FEW),
              Answers.Failures.class,
              Operations::failures),
          Operation.question(
              "/keys/blocked",
              "keys blocked",
              "Keys that do not flow: the event that blocks each, and up to 10,000 counted behind it.",
              List.of(AFTER, FEW),
              Answers.BlockedKeys.class,
              Operations::blocked),
          Operation.question(
              "/destinations",
              "destinations list",
              "Destinations that take no events, were paused or resumed, or refused events, and those of the routes.",
              List.of(),
              Answers.Destinations.class,
              (admin, call) ->
                  new Answers.Destinations(
                      DestinationStanding.of(admin, call.broker().templates()))),
          Operation.question(
              "/relays",
              "relays",
              "Relays with host, version, configuration and lease.",
              List.of(),
              Answers.Relays.class,
              (admin, call) -> new Answers.Relays(admin.sessions())),
          Operation.question(
              "/lanes",
              "relays",
              "Lanes with their owners and last take-overs.",
              List.of(),
              Answers.Lanes.class,
              (admin, call) -> new Answers.Lanes(admin.lanes())),
          Operation.question(
              "/audit",
              "audit",
              "Requests of operators, with reason and outcome; latest first.",
              List.of(AFTER, LIMIT),
              Answers.Audit.class,
              Operations::audit),
          Operation.question(
              "/jobs",
              "jobs list",
              "Planned changes of events, and how far each has come; latest first.",
              List.of(AFTER, LIMIT),
              Answers.Jobs.class,
              Operations::jobs),
          Operation.question(
              "/job",
              "jobs show",
              "One planned change, and how far it has come.",
              List.of(required("id", "Id of the job.")),
              Answers.JobView.class,
              Operations::job),
          Operation.question(
              "/job/events",
              "jobs show",
              "The events of a job in their order, and what became of each.",
              List.of(
                  required("id", "Id of the job."),
                  choice(
                      "outcome",
                      Job.Outcome.class,
                      Arrays.stream(Job.Outcome.values()),
                      "Events with this outcome."),
                  AFTER,
                  LIMIT),
              Answers.JobEvents.class,
              Operations::jobEvents));

  static final List<Operation> ALL =
      Stream.of(
              Standing.ALL,
              Doctor.ALL,
              QUESTIONS,
              List.of(HistoryQuestion.OPERATION),
              ConsumerOperations.QUESTIONS,
              Changes.ALL,
              CorrectionChanges.ALL,
              PurgeChange.ALL,
              DeclareChange.ALL,
              ConsumerOperations.CHANGES)
          .flatMap(List::stream)
          .toList();

  private Operations() {}

  static List<Parameter> with(List<Parameter> some, Parameter... more) {
    List<Parameter> all = new ArrayList<>(some);
    all.addAll(List.of(more));
    return all;
  }

  private static Answers.Events events(Admin admin, Call call) {
    EventFilter filter = Conditions.filter(call);
    int limit = call.numberOf("limit");
    return Answers.Events.of(page(call, after -> admin.find(filter, after, limit)));
  }

  private static Answers.Events latest(Admin admin, Call call) {
    EventFilter filter = Conditions.filter(call);
    int limit = call.numberOf("limit");
    return Answers.Events.of(page(call, before -> admin.latest(filter, before, limit)));
  }

  private static Answers.Counted count(Admin admin, Call call) {
    EventFilter filter = Conditions.filter(call);
    EventCount count = page(call, after -> admin.count(filter, after, MOST_COUNTED + 1));
    Answers.Count number = Answers.Count.of(count.count(), MOST_COUNTED);
    return new Answers.Counted(number.count(), number.more(), count.next());
  }

  /** The table alone knows what a position is. */
  private static <T> T page(Call call, Function<@Nullable String, T> list) {
    String after = call.text("after");
    try {
      return list.apply(after);
    } catch (IllegalArgumentException e) {
      throw ApiProblem.invalid("after", NEXT, String.valueOf(after));
    }
  }

  private static Answers.Event event(Admin admin, Call call) {
    String id = Objects.requireNonNull(call.text("id"));
    return admin
        .show(id)
        .map(
            detail ->
                Answers.Event.of(
                    detail, waits(admin, detail.event()), CorrectionLinks.of(admin, detail)))
        .orElseThrow(() -> ApiProblem.missing("event", id));
  }

  /** Where it goes is known of an event that has failed. */
  private static @Nullable String waits(Admin admin, EventView event) {
    return WaitReason.of(admin, event, Optional.ofNullable(event.destination()));
  }

  private static Answers.Failures failures(Admin admin, Call call) {
    EventStatus given = call.choice("state", EventStatus.class);
    EventStatus state = given == null ? EventStatus.PARKED : given;
    int limit = call.numberOf("limit");
    List<FailureGroup> groups = admin.failures(state, call.text("after"), limit, MOST_COUNTED + 1);
    Map<String, Notes.Note> notes =
        Notes.of(admin).of(groups.stream().map(FailureGroup::group).distinct().toList());
    Map<String, VainRetries> retried =
        VainRetries.of(admin, groups.stream().map(FailureGroup::sample).toList());
    return new Answers.Failures(
        groups.stream()
            .map(
                group ->
                    Answers.Failure.of(
                        group,
                        MOST_COUNTED,
                        notes.get(group.group()),
                        retried.get(group.sample().eventId())))
            .toList(),
        groups.size() < limit ? null : groups.get(groups.size() - 1).group());
  }

  private static Answers.BlockedKeys blocked(Admin admin, Call call) {
    int limit = call.numberOf("limit");
    List<EventView> heads = page(call, after -> admin.blocking(after, limit));
    Map<String, VainRetries> retried = VainRetries.of(admin, heads);
    Set<List<@Nullable String>> seen = new HashSet<>();
    List<Answers.BlockedKey> keys = new ArrayList<>();
    for (EventView head : heads) {
      if (seen.add(Arrays.asList(head.aggregateType(), head.aggregateId()))) {
        long behind = admin.behind(head, MOST_COUNTED + 1);
        keys.add(
            new Answers.BlockedKey(
                head, Answers.Count.of(behind, MOST_COUNTED), retried.get(head.eventId())));
      }
    }
    return new Answers.BlockedKeys(
        keys, heads.size() < limit ? null : heads.get(heads.size() - 1).position());
  }

  private static Answers.Audit audit(Admin admin, Call call) {
    int limit = call.numberOf("limit");
    List<AuditEntry> entries = admin.audit(before(call), limit);
    return new Answers.Audit(
        entries,
        entries.size() < limit ? null : Long.toString(entries.get(entries.size() - 1).id()));
  }

  private static long before(Call call) {
    return numeric(call, "after", NEXT, Long.MAX_VALUE);
  }

  private static long numeric(Call call, String name, String rule, long usual) {
    String text = call.text(name);
    try {
      return text == null ? usual : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiProblem.invalid(name, rule, text);
    }
  }

  static long jobId(Call call) {
    return numeric(call, "id", "must be the id of a job", 0);
  }

  private static Answers.Jobs jobs(Admin admin, Call call) {
    int limit = call.numberOf("limit");
    List<Job> jobs = Jobs.of(admin).list(before(call), limit);
    return new Answers.Jobs(
        jobs.stream().map(Answers.JobView::of).toList(),
        jobs.size() < limit ? null : Long.toString(jobs.get(jobs.size() - 1).id()));
  }

  private static Answers.JobView job(Admin admin, Call call) {
    long id = jobId(call);
    return Jobs.of(admin)
        .find(id)
        .map(Answers.JobView::of)
        .orElseThrow(() -> ApiProblem.missing("job", Long.toString(id)));
  }

  private static Answers.JobEvents jobEvents(Admin admin, Call call) {
    Jobs jobs = Jobs.of(admin);
    long id = jobId(call);
    int limit = call.numberOf("limit");
    long after = numeric(call, "after", NEXT, 0);
    if (after < 0 || after > Integer.MAX_VALUE) {
      throw ApiProblem.invalid("after", NEXT, Long.toString(after));
    }
    if (jobs.find(id).isEmpty()) {
      throw ApiProblem.missing("job", Long.toString(id));
    }
    List<Job.Event> events =
        jobs.events(id, call.choice("outcome", Job.Outcome.class), (int) after, limit);
    return new Answers.JobEvents(
        events.stream().map(Answers.JobEvent::of).toList(),
        events.size() < limit ? null : Integer.toString(events.get(events.size() - 1).number()));
  }
}
