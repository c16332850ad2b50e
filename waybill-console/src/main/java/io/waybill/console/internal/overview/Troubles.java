package io.waybill.console.internal.overview;

import io.waybill.admin.SessionView;
import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Shown;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.Notes;
import io.waybill.internal.jdbc.operator.VainRetries;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.spring.internal.api.Role;
import io.waybill.store.FailingDestination;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wrong with an outbox, with its cause and what ends it; the worst first. */
final class Troubles {
  // The destination, or a part of it, is not there.
  private static final Map<String, String> MISSING =
      Map.of(
          "topic-missing",
          "The topic is missing.",
          "topic-lookup-timeout",
          "The topic may be missing.",
          "exchange-missing",
          "The exchange is missing.",
          "unroutable",
          "No queue is bound there.");
  private static final Map<String, String> REMEDIES =
      Map.of(
          "nacked",
          "A queue that is bound there is probably full, or has failed: let a consumer read it, or"
              + " raise its limit. Events flow by themselves then.",
          "access-refused",
          "Grant the relay's user of the broker the right to write there. Events flow then.",
          "not-authorized",
          "Grant the relay's user of the broker the right to write there. Events flow then.");

  private static final Set<String> OF_THE_ROUTE =
      Set.of("no-route", "missing-field", "bad-destination");
  private static final Set<String> TOO_LARGE =
      Set.of("record-too-large", "message-too-large", "headers-too-large", "too-large");

  private static final String QUEUES =
      "rabbitmqctl list_queues name messages consumers state policy arguments";
  private static final String REASON = "--reason";
  private static final List<String> KINDS = List.of("bad", "warn", "note");

  private final Answers.Status status;
  private final List<Trouble> all = new ArrayList<>();

  private Troubles(Answers.Status status) {
    this.status = status;
  }

  static List<Trouble> of(
      Answers.Status status,
      List<DestinationStanding> destinations,
      List<Answers.Failure> failures,
      List<Answers.BlockedKey> keys,
      List<Answers.JobView> jobs) {
    Troubles troubles = new Troubles(status);
    troubles.relays();
    destinations.stream().filter(each -> each.failingSince() != null).forEach(troubles::failing);
    destinations.stream().filter(DestinationStanding::paused).forEach(troubles::paused);
    failures.forEach(troubles::parked);
    troubles.blocked(keys);
    troubles.drift();
    jobs.forEach(troubles::job);
    troubles.waiting();
    troubles.all.sort(Comparator.comparing(trouble -> KINDS.indexOf(trouble.kind())));
    return troubles.all;
  }

  private void relays() {
    List<SessionView> live = live(status);
    if (live.isEmpty()) {
      Instant last =
          status.relays().stream().map(SessionView::renewedAt).max(Instant::compareTo).orElse(null);
      all.add(
          Trouble.of(
                  "bad",
                  "No relay runs",
                  last,
                  "No relay holds a lease for this outbox, so nothing is published. Events wait in"
                      + " the table; none is lost.",
                  "Look why it has ended: its log has the reason%s, and doctor checks all that a"
                          .formatted(lastHost())
                      + " relay needs. Then start one.")
              .command("./waybill doctor\n./waybill relay"));
      return;
    }
    for (SessionView relay : status.relays()) {
      if (relay.leaseMillis() <= 0 && relay.lanes() > 0) {
        all.add(
            Trouble.of(
                    "warn",
                    "Relay " + Shown.name(relay.relay()) + " does not answer",
                    relay.renewedAt(),
                    "Its lease has ended while it had %d lanes.".formatted(relay.lanes()),
                    "The other relays take its lanes by themselves. Start it again for the load.")
                .link("relays", "Relays", Role.VIEWER));
      }
    }
    if (status.freeLanes() > 0) {
      all.add(
          Trouble.of(
                  "warn",
                  status.freeLanes() + " lanes have no owner",
                  null,
                  "A relay has left or died, or has just begun.",
                  "Living relays take them within seconds. If they do not, look at their logs.")
              .link("relays", "Relays", Role.VIEWER));
    }
  }

  static List<SessionView> live(Answers.Status status) {
    return status.relays().stream().filter(relay -> relay.leaseMillis() > 0).toList();
  }

  /** Where the last relay ran, if it has told. */
  private String lastHost() {
    return status.relays().stream()
        .max(Comparator.comparing(SessionView::renewedAt))
        .filter(relay -> !relay.host().isEmpty())
        .map(
            relay ->
                " (%s ran on %s)".formatted(Shown.name(relay.relay()), Shown.name(relay.host())))
        .orElse("");
  }

  private void failing(DestinationStanding destination) {
    String name = destination.destination();
    String reason = String.valueOf(destination.failure());
    boolean broker = name.equals(FailingDestination.BROKER);
    String cause = reason + ": " + Shown.text(destination.detail());
    if (broker) {
      all.add(
          Trouble.of(
                  "bad",
                  "The broker takes no events",
                  destination.failingSince(),
                  cause,
                  "Look at the broker and the network to it. When it answers, events flow by"
                      + " themselves, in order.")
              .command("./waybill doctor"));
      return;
    }
    Trouble trouble =
        Trouble.of(
            "bad",
            "Destination " + Shown.name(name) + " takes no events",
            destination.failingSince(),
            cause,
            REMEDIES.getOrDefault(
                reason,
                MISSING.containsKey(reason)
                    ? MISSING.get(reason)
                        + " Declare what is missing, or let its owner create it: a plan shows what"
                        + " would be created. Events flow by themselves then."
                    : "Look at it at the broker. Its events wait, and flow as soon as it takes"
                        + " them."));
    all.add(
        MISSING.containsKey(reason)
            ? trouble
                .command(command("declare", name), REASON)
                .link(Link.to("declare", "destination", name), "Declare", Role.ADMINISTRATOR)
            : trouble
                .command(reason.equals("nacked") ? QUEUES : null)
                .link("destinations", "Destinations", Role.VIEWER));
  }

  /** For a shell; none where a name would not be seen as it is. */
  private static @Nullable String command(String verb, String name) {
    if (!Shown.name(name).equals(name)) {
      return null;
    }
    String quoted = name.matches("[\\w.@%+=:,/-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
    return "./waybill destinations %s %s --yes".formatted(verb, quoted);
  }

  private void paused(DestinationStanding destination) {
    String name = destination.destination();
    all.add(
        Trouble.of(
                "warn",
                "Destination " + Shown.name(name) + " is paused",
                destination.since(),
                "%s paused it: %s"
                    .formatted(Shown.name(destination.by()), Shown.text(destination.reason())),
                "Resume it when its reason is gone. Its events wait meanwhile.")
            .command(command("resume", name), REASON)
            .link(Link.to("destination", "name", name), "Resume", Role.VIEWER));
  }

  private void parked(Answers.Failure failure) {
    String reason = Shown.name(failure.sample().reason());
    boolean again = failure.retried() != null || failure.sample().attempts() > 1;
    all.add(
        Trouble.of(
                "bad",
                "%s %s of type %s parked: %s"
                    .formatted(
                        Shown.count(failure.events()),
                        failure.events().count() == 1 ? "event" : "events",
                        Shown.name(failure.sample().eventType()),
                        reason),
                failure.first(),
                to(failure.sample().destination())
                    + Shown.text(failure.sample().detail())
                    + noted(failure.note()),
                retried(failure.retried())
                    + cure(failure.sample().reason())
                    + " Then retry the group, a few events first. Until then their keys wait.")
            .when(again ? "The first of them failed last" : null)
            .command("./waybill failures retry %s --canary 5 --yes".formatted(failure.id()), REASON)
            .link(Link.to("plan", "group", failure.id()), "Look and retry", Role.VIEWER));
  }

  private static String to(@Nullable String destination) {
    return destination == null || destination.isEmpty()
        ? ""
        : "For %s: ".formatted(Shown.name(destination));
  }

  private static String retried(@Nullable VainRetries retries) {
    return retries == null
        ? ""
        : "A retry did not help: it was asked for at %s UTC, and the first event failed again. "
            .formatted(Shown.utc(retries.last()));
  }

  /** What the shift before has left. */
  private static String noted(Notes.@Nullable Note note) {
    return note == null
        ? ""
        : ". Note of %s: %s".formatted(Shown.name(note.by()), Shown.text(note.text()));
  }

  private static String cure(@Nullable String reason) {
    if (reason != null && OF_THE_ROUTE.contains(reason)) {
      return "Correct the route of this type in the configuration, and restart the relays.";
    }
    return reason != null && TOO_LARGE.contains(reason)
        ? "Raise the limit at the broker, or open the event and skip it."
        : "Remove the cause: a limit, a right, or what the events contain.";
  }

  private void blocked(List<Answers.BlockedKey> keys) {
    Instant since =
        keys.stream()
            .map(key -> key.head().failedAt())
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(null);
    boolean again =
        keys.stream().anyMatch(key -> key.retried() != null || key.head().attempts() > 1);
    if (status.counts().held() > 0) {
      all.add(
          Trouble.of(
                  "warn",
                  events(status.counts().held()) + " held behind others",
                  since,
                  "They wait behind an event of their key that has failed, or for a destination.",
                  "Retry the first event of a key when its cause is gone, or skip it.")
              .when(again ? "The first of those that block failed last" : null)
              .link("keys", "Blocked keys", Role.VIEWER));
    }
  }

  private static String events(long number) {
    return number == 1 ? "1 event is" : Shown.number(number) + " events are";
  }

  private void drift() {
    List<SessionView> live = live(status);
    Set<String> versions = live.stream().map(SessionView::version).collect(Collectors.toSet());
    Set<String> configurations =
        live.stream().map(SessionView::configuration).collect(Collectors.toSet());
    if (versions.size() > 1 || configurations.size() > 1) {
      all.add(
          Trouble.of(
                  "note",
                  versions.size() > 1
                      ? "Relays run different versions"
                      : "Relays have different configurations",
                  null,
                  "One of them may have another route or limit than the others.",
                  "Finish the roll-out, or restart the relay that was left out.")
              .link("relays", "Relays", Role.VIEWER));
    }
  }

  private void job(Answers.JobView job) {
    switch (job.state()) {
      case RUNNING, PAUSED ->
          all.add(
              Trouble.of(
                      "note",
                      "Job %s is %s"
                          .formatted(
                              job.id(), job.state() == Job.State.PAUSED ? "paused" : "under way"),
                      job.startedAt(),
                      "%s started it: %s"
                          .formatted(Shown.name(job.requestedBy()), Shown.text(job.reason())),
                      "%d of %s events have an outcome."
                          .formatted(job.requested() - job.open(), Shown.count(job.events())))
                  .link(Link.to("job", "id", job.id()), "Look", Role.VIEWER));
      case PLANNED, DONE, STOPPED, CANCELLED -> {}
    }
  }

  private void waiting() {
    if (status.counts().dead() > 0) {
      all.add(
          Trouble.of(
                  "note",
                  events(status.counts().dead()) + " dead",
                  null,
                  "They are published no more, and their keys went on.",
                  "Retry those that are still wanted; remove the others.")
              .link(Link.to("failures", "state", "dead"), "Look", Role.VIEWER));
    }
  }
}
