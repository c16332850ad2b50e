package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.choice;
import static io.waybill.spring.internal.api.Parameter.number;
import static io.waybill.spring.internal.api.Parameter.required;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Disclosure;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.Jobs.JobStateException;
import io.waybill.internal.jdbc.operator.Notes;
import io.waybill.store.OperatorRequest.Verb;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/** What can be changed: events by jobs, which are planned first, and destinations. */
final class Changes {
  private static final int MOST = Pace.MOST;
  private static final Parameter ID = required("id", "Id of the job.");
  static final Parameter REASON = required("reason", "Why; kept in the audit.");
  private static final Parameter DESTINATION =
      required("destination", "Name of the destination, as it is listed.").atMost(255);

  /** How carefully a job goes on. */
  static final List<Parameter> PACE =
      List.of(
          number("canary", 0, MOST, 5, "Events that are tried first."),
          number("rate", 1, MOST, 200, "Events a second after that."),
          number(
              "stopAfter",
              1,
              MOST,
              5,
              "Failures of one reason, without a success between, that stop it."));

  static final List<Operation> ALL =
      List.of(
          Operation.change(
              "/jobs",
              "failures retry",
              "Plan a change of events: finds them, up to 10,000, and changes nothing.",
              Operations.with(
                  Operations.with(
                      Conditions.PARAMETERS,
                      choice(
                              "verb",
                              Verb.class,
                              Arrays.stream(Verb.values()),
                              "The request for each event.")
                          .asRequired()),
                  PACE.toArray(Parameter[]::new)),
              Answers.JobView.class,
              Changes::plan),
          Operation.change(
              "/job/run",
              "jobs run",
              "Let a planned job run. The same request again changes nothing.",
              List.of(ID, REASON),
              Answers.JobView.class,
              (admin, call) -> job(admin, call, (jobs, id) -> jobs.run(id, instruction(call)))),
          Operation.change(
              "/job/pause",
              "jobs pause",
              "Pause a running job. Requests that were made have their course.",
              List.of(ID),
              Answers.JobView.class,
              (admin, call) -> job(admin, call, (jobs, id) -> jobs.pause(id, call.caller()))),
          Operation.change(
              "/job/resume",
              "jobs resume",
              "Let a paused job go on.",
              List.of(ID),
              Answers.JobView.class,
              (admin, call) -> job(admin, call, (jobs, id) -> jobs.resume(id, call.caller()))),
          Operation.change(
              "/job/cancel",
              "jobs cancel",
              "Cancel a job that has not ended. Requests that were made have their course.",
              List.of(ID),
              Answers.JobView.class,
              (admin, call) -> job(admin, call, (jobs, id) -> jobs.cancel(id, call.caller()))),
          Operation.change(
              "/destination/pause",
              "destinations pause",
              "Pause a destination on all relays.",
              List.of(DESTINATION, REASON),
              Answers.Destinations.class,
              (admin, call) -> pause(admin, call, true)),
          Operation.change(
              "/destination/resume",
              "destinations resume",
              "Resume a destination on all relays.",
              List.of(DESTINATION, REASON),
              Answers.Destinations.class,
              (admin, call) -> pause(admin, call, false)),
          Operation.change(
              "/failures/note",
              "failures note",
              "Write a note on a group of failures for the next shift. It replaces the one before;"
                  + " without a text it is removed.",
              List.of(
                  required("group", "Id of the group."),
                  Parameter.text("text", "The note for the next shift.")),
              Answers.Noted.class,
              Changes::note),
          Operation.change(
                  "/event/payload",
                  "events show",
                  "Show payload, up to 64 KiB, and headers of an event. The audit keeps who saw it.",
                  List.of(required("id", "Event id."), REASON),
                  Answers.Contents.class,
                  Changes::contents)
              .by(Role.ADMINISTRATOR));

  private Changes() {}

  private static Answers.JobView plan(Admin admin, Call call) {
    EventFilter filter = Conditions.filter(call);
    if (filter.isEmpty()) {
      throw ApiProblem.invalid("filter", "must have at least one condition, like a group", "{}");
    }
    Verb verb = Objects.requireNonNull(call.choice("verb", Verb.class));
    return Answers.JobView.of(
        Jobs.of(admin).plan(verb, filter, pace(call), call.caller(), Jobs.MOST_COUNTED));
  }

  static Pace pace(Call call) {
    return new Pace(call.numberOf("canary"), call.numberOf("rate"), call.numberOf("stopAfter"));
  }

  private static Answers.JobView job(
      Admin admin, Call call, BiFunction<Jobs, Long, Optional<Job>> change) {
    long id = Operations.jobId(call);
    try {
      return change
          .apply(Jobs.of(admin), id)
          .map(Answers.JobView::of)
          .orElseThrow(() -> ApiProblem.missing("job", Long.toString(id)));
    } catch (JobStateException e) {
      throw ApiProblem.conflict(String.valueOf(e.getMessage()));
    }
  }

  private static Answers.Destinations pause(Admin admin, Call call, boolean paused) {
    String name = Objects.requireNonNull(call.text("destination"));
    requireRoute(admin, call.broker(), name);
    admin.pause(name, paused, instruction(call));
    return new Answers.Destinations(DestinationStanding.of(admin, List.of(name)));
  }

  /** A name with a typing error would do nothing. An API without routes does not know. */
  private static void requireRoute(Admin admin, BrokerAccess broker, String name) {
    List<String> templates = broker.templates();
    if (!templates.isEmpty()
        && !broker.routed().lead(name)
        && DestinationStanding.of(admin, List.of()).stream()
            .noneMatch(known -> known.destination().equals(name))) {
      throw ApiProblem.invalid(
          "destination",
          "must be one to which a route leads: " + String.join(", ", templates),
          name);
    }
  }

  private static Answers.Noted note(Admin admin, Call call) {
    String id = Objects.requireNonNull(call.text("group"));
    EventFilter events = Conditions.group(id);
    String text = call.text("text");
    Notes notes = Notes.of(admin);
    if (!notes.write(events, text == null || text.isBlank() ? null : text, call.caller())) {
      throw ApiProblem.missing("group", id);
    }
    String group = Objects.requireNonNull(events.group());
    return new Answers.Noted(notes.of(List.of(group)).get(group));
  }

  private static Answers.Contents contents(Admin admin, Call call) {
    String id = Objects.requireNonNull(call.text("id"));
    return Disclosure.of(admin, id, instruction(call))
        .map(Answers.Contents::of)
        .orElseThrow(() -> ApiProblem.missing("event", id));
  }

  static Instruction instruction(Call call) {
    String reason = Objects.requireNonNull(call.text("reason"));
    if (reason.isBlank()) {
      throw ApiProblem.invalid("reason", "must not be blank", reason);
    }
    return new Instruction(call.caller(), reason);
  }
}
