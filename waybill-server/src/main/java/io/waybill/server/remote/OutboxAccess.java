package io.waybill.server.remote;

import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.JobRequests;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.Notes;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.internal.jdbc.operator.Storage;
import io.waybill.internal.jdbc.operator.Throughput;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.api.Checks;
import io.waybill.spring.internal.api.Checks.CheckFinding;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.spring.internal.api.HistoryPage;
import io.waybill.spring.internal.destination.Declaration;
import io.waybill.spring.internal.destination.DeclaredDestinations;
import io.waybill.spring.internal.destination.RoutedNames;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An outbox as commands reach it. */
public sealed interface OutboxAccess {
  /** Its name. */
  String name();

  /**
   * Opens the view and the requests of operators.
   *
   * @return to be closed
   */
  Admin admin();

  /** The jobs, on an opened view. */
  JobRequests jobs(Admin admin);

  /** How destinations stand, on an opened view. */
  List<DestinationStanding> destinations(Admin admin);

  /**
   * Looks what destinations lack, or declares it, with an opened view.
   *
   * @param by who declares and why, or null to look only
   */
  DeclaredDestinations.Result declare(
      Admin admin, Declaration declaration, @Nullable Instruction by);

  /** The notes on groups of failures that an opened view has listed, by group. */
  Map<String, Notes.Note> notes(Admin admin, List<FailureGroup> groups);

  /**
   * Writes a note on a group of failures, on an opened view, or removes it.
   *
   * @param group id of the group
   * @param text what it says, or null to remove it
   * @param by who writes it
   * @return whether there is such a group
   */
  boolean note(Admin admin, String group, @Nullable String text, String by);

  /** How fast events go, on an opened view. */
  Throughput throughput(Admin admin);

  /** A part of the history, on an opened view. */
  HistoryPage history(Admin admin, HistoryPage.Part part);

  /** Sizes of its tables, on an opened view. */
  Storage storage(Admin admin);

  /** Findings of the start-up checks. */
  List<CheckFinding> checks();

  /** Where an event goes, or empty if it has no destination that is known. */
  Optional<String> destination(EventDetail event);

  /** The outbox with its routes and payloads, or empty through an API, which shows neither. */
  Optional<StandaloneOutbox> configured();

  /** Counting events stops there. */
  int mostCounted();

  /**
   * By its database, with the routes of its configuration.
   *
   * @param outbox as the configuration has it
   */
  record ByDatabase(StandaloneOutbox outbox) implements OutboxAccess {
    private static final int MOST_COUNTED = 10_000_000;

    @Override
    public String name() {
      return outbox.name();
    }

    @Override
    public Admin admin() {
      return outbox.admin();
    }

    @Override
    public JobRequests jobs(Admin admin) {
      return Jobs.of(admin);
    }

    @Override
    public List<DestinationStanding> destinations(Admin admin) {
      return DestinationStanding.of(admin, new RoutedNames(outbox.destinations()).templates());
    }

    @Override
    public DeclaredDestinations.Result declare(
        Admin admin, Declaration declaration, @Nullable Instruction by) {
      try {
        RoutedNames routed = new RoutedNames(outbox.destinations());
        return new DeclaredDestinations(outbox.broker(), routed, admin, declaration).run(by);
      } catch (IllegalArgumentException e) {
        throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public Map<String, Notes.Note> notes(Admin admin, List<FailureGroup> groups) {
      return Notes.of(admin).of(groups.stream().map(FailureGroup::group).distinct().toList());
    }

    @Override
    public boolean note(Admin admin, String group, @Nullable String text, String by) {
      return Notes.of(admin).write(FailureGroup.filter(group), text, by);
    }

    @Override
    public Throughput throughput(Admin admin) {
      return Rollups.of(admin).throughput();
    }

    @Override
    public HistoryPage history(Admin admin, HistoryPage.Part part) {
      return HistoryPage.of(admin, part);
    }

    @Override
    public Storage storage(Admin admin) {
      return Storage.of(admin);
    }

    @Override
    public List<CheckFinding> checks() {
      return Checks.found(outbox.check());
    }

    @Override
    public Optional<String> destination(EventDetail event) {
      return new Destinations(outbox).of(event);
    }

    @Override
    public Optional<StandaloneOutbox> configured() {
      return Optional.of(outbox);
    }

    @Override
    public int mostCounted() {
      return MOST_COUNTED;
    }
  }

  /**
   * Through an API, which does not know the routes.
   *
   * @param client asks it
   * @param name the outbox
   */
  record ByApi(ApiClient client, String name) implements OutboxAccess {
    private ApiQuestions questions() {
      return new ApiQuestions(client, name);
    }

    @Override
    public Admin admin() {
      return new ApiAdmin(questions());
    }

    @Override
    public JobRequests jobs(Admin admin) {
      return new ApiJobs(questions());
    }

    @Override
    public List<DestinationStanding> destinations(Admin admin) {
      return new ApiAdmin(questions()).standing();
    }

    @Override
    public DeclaredDestinations.Result declare(
        Admin admin, Declaration declaration, @Nullable Instruction by) {
      Map<String, @Nullable Object> asked = new HashMap<>();
      asked.put("destination", declaration.names().isEmpty() ? null : declaration.names());
      asked.put("partitions", declaration.settings().partitions());
      asked.put("replicationFactor", declaration.settings().replicationFactor());
      asked.put("exchangeType", declaration.settings().exchangeType());
      asked.put("queueType", declaration.settings().queueType());
      asked.put(
          "singleActiveConsumer", declaration.settings().singleActiveConsumer() ? "true" : null);
      asked.put("queue", declaration.queue());
      asked.put("reason", by == null ? null : by.reason());
      asked.values().removeIf(Objects::isNull);
      JsonNode answer =
          by == null
              ? questions().get("/destinations/declare", asked)
              : questions().change("/destinations/declare", asked, "").orElseThrow();
      return questions().as(answer, DeclaredDestinations.Result.class);
    }

    @Override
    public Map<String, Notes.Note> notes(Admin admin, List<FailureGroup> groups) {
      return ((ApiAdmin) admin).notes();
    }

    @Override
    public boolean note(Admin admin, String group, @Nullable String text, String by) {
      Map<String, @Nullable Object> asked = new HashMap<>();
      asked.put("group", group);
      asked.put("text", text);
      asked.values().removeIf(Objects::isNull);
      return questions().change("/failures/note", asked, "group").isPresent();
    }

    @Override
    public Throughput throughput(Admin admin) {
      return questions().as(questions().get("").path("throughput"), Throughput.class);
    }

    @Override
    public HistoryPage history(Admin admin, HistoryPage.Part part) {
      Map<String, @Nullable Object> asked = new HashMap<>();
      asked.put("since", part.since());
      asked.put("before", part.before());
      asked.put("destination", part.destination());
      asked.put("step", part.step());
      return questions().as(questions().get("/history", asked), HistoryPage.class);
    }

    @Override
    public Storage storage(Admin admin) {
      return questions().as(questions().get("/storage"), Storage.class);
    }

    @Override
    public List<CheckFinding> checks() {
      return questions().as(questions().get("/checks"), Checks.class).items();
    }

    @Override
    public Optional<String> destination(EventDetail event) {
      return Optional.ofNullable(event.event().destination());
    }

    @Override
    public Optional<StandaloneOutbox> configured() {
      return Optional.empty();
    }

    @Override
    public int mostCounted() {
      return ApiAdmin.MOST_COUNTED;
    }
  }
}
