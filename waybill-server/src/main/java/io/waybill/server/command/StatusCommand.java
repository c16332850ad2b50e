package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.internal.jdbc.operator.Throughput;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.DurationConverter;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.spring.internal.api.HistoryPage;
import io.waybill.store.StoreException;
import io.waybill.store.TakeOver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.type.TypeReference;

/** Shows where outboxes stand. */
@Command(
    name = "status",
    description = "Show backlog, failures, relays and paused destinations of each outbox.")
final class StatusCommand implements Callable<Integer> {
  private static final int MOST_TAKE_OVERS = 5;
  private static final Duration SHORTEST = Duration.ofMillis(100);

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--count",
      description =
          "Also count the events that wait, which reads the table: up to 10,000,000, through an API 10,000.")
  private boolean count;

  @Option(
      names = "--watch",
      paramLabel = "DURATION",
      arity = "0..1",
      fallbackValue = "2s",
      converter = DurationConverter.class,
      description =
          "Show it again and again, until Ctrl-C; with --json a line each time. Default: ${FALLBACK-VALUE}.")
  private @Nullable Duration watch;

  @Override
  public Integer call() {
    if (watch == null) {
      output.blocks(all(), "There is no outbox.");
      return ExitCode.OK;
    }
    if (watch.compareTo(SHORTEST) < 0) {
      throw new CommandFailure(
          ExitCode.USAGE, "--watch must be at least 100ms, but is " + watch.toMillis() + "ms");
    }
    while (true) {
      look(watch);
      RequestWait.pause(watch.toMillis(), "nothing was changed");
    }
  }

  /** Goes on while the database is away, to show when it answers again. */
  private void look(Duration pause) {
    List<Map<String, @Nullable Object>> all;
    try {
      all = all();
    } catch (StoreException e) {
      output.aside("%s; next look in %d ms".formatted(e.getMessage(), pause.toMillis()));
      return;
    }
    output.clear();
    output.blocks(all, "There is no outbox.");
  }

  private List<Map<String, @Nullable Object>> all() {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (OutboxAccess outbox : options.accesses()) {
      try (Admin admin = outbox.admin()) {
        all.add(status(outbox, admin));
      }
    }
    return all;
  }

  private Map<String, @Nullable Object> status(OutboxAccess outbox, Admin admin) {
    Counts counts = admin.counts();
    Map<String, @Nullable Object> status = new LinkedHashMap<>();
    status.put("outbox", outbox.name());
    status.put("oldestUnpublishedSeconds", counts.oldestUnpublishedMillis() / 1000.0);
    if (count) {
      int most = outbox.mostCounted();
      long waiting = Selection.count(admin, EventFilter.status(EventStatus.PENDING), most + 1);
      status.put("waiting", Math.min(waiting, most));
      if (waiting > most) {
        output.note("Of %s more events wait than were counted.".formatted(outbox.name()));
      }
    }
    status.put("retrying", counts.retry());
    status.put("parked", counts.parked());
    status.put("dead", counts.dead());
    status.put("held", counts.held());
    status.put("requests", counts.requests());
    Throughput throughput = outbox.throughput(admin);
    status.put("publishedPerSecond", rounded(throughput.publishedPerSecond()));
    status.put("failedPerSecond", rounded(throughput.failedPerSecond()));
    status.put("caughtUpSeconds", throughput.caughtUpSeconds());
    status.put("unknown", throughput.unknown());
    List<LaneOwner> lanes = admin.lanes();
    status.put("lanes", lanes.size());
    status.put("freeLanes", lanes.stream().filter(lane -> lane.fence() == null).count());
    List<SessionView> relays = admin.sessions();
    status.put("relays", relays.stream().map(RelayRow::of).toList());
    status.put("takeOvers", TakeOverRow.of(lanes));
    status.put(
        "pausedDestinations",
        admin.destinations().stream()
            .filter(DestinationView::paused)
            .map(DestinationView::name)
            .toList());
    status.put("failingDestinations", DestinationStanding.failing(relays));
    return status;
  }

  private static @Nullable Double rounded(@Nullable Double number) {
    return number == null ? null : Math.round(number * 100) / 100.0;
  }

  /** Shows what relays did. */
  @Command(
      name = "history",
      description = "Show what relays did in each minute or hour, by destination.")
  static final class History implements Callable<Integer> {
    private static final int MOST_ROWS = 10_000;
    private static final TypeReference<LinkedHashMap<String, Object>> ROW =
        new TypeReference<>() {};

    @Mixin private ConfigOptions options = new ConfigOptions();
    @Mixin private Output output = new Output();

    @Option(
        names = "--newer-than",
        paramLabel = "DURATION",
        defaultValue = "1h",
        converter = DurationConverter.class,
        description = "How far back, as in 24h. Default: ${DEFAULT-VALUE}.")
    private Duration newerThan = Duration.ZERO;

    @Option(
        names = "--older-than",
        paramLabel = "DURATION",
        defaultValue = "0s",
        converter = DurationConverter.class,
        description = "Where it ends. Default: now.")
    private Duration olderThan = Duration.ZERO;

    @Option(
        names = "--destination",
        paramLabel = "NAME",
        description = "One destination: topic, or exchange/routing-key.")
    private @Nullable String destination;

    @Option(
        names = "--step",
        paramLabel = "STEP",
        defaultValue = "minute",
        description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Rollups.Step step = Rollups.Step.MINUTE;

    @Override
    public Integer call() {
      Instant now = Instant.now();
      OutboxAccess outbox = options.access();
      HistoryPage.Part part =
          new HistoryPage.Part(now.minus(newerThan), now.minus(olderThan), destination, step);
      List<Map<String, Object>> rows = new ArrayList<>();
      String next;
      try (Admin admin = outbox.admin()) {
        do {
          HistoryPage page = outbox.history(admin, part);
          if (page.missing() != null) {
            throw new CommandFailure(ExitCode.FINDINGS, page.missing());
          }
          page.items().forEach(item -> rows.add(row(item)));
          next = page.next();
          part = next == null ? part : part.after(next);
        } while (next != null && rows.size() < MOST_ROWS);
      }
      output.rows(rows, "No relay has written what it did in that time.");
      if (next != null) {
        output.note("There is more, from %s on: choose a shorter time".formatted(next));
      }
      return ExitCode.OK;
    }

    private static Map<String, Object> row(HistoryPage.Item item) {
      return Output.JSON.convertValue(item, ROW);
    }
  }

  /**
   * A relay: an object for programs, a text for people.
   *
   * @param relay its name
   * @param lanes how many lanes it owns
   * @param fence fence of its session
   * @param host name of its machine or container
   * @param version its version of Waybill
   * @param configuration the same for relays with the same configuration
   * @param joinedAt when it joined
   * @param renewedAt when it last renewed its lease
   * @param leaseSeconds until its lease ends; negative if it has ended
   */
  private record RelayRow(
      String relay,
      int lanes,
      long fence,
      String host,
      String version,
      String configuration,
      String joinedAt,
      String renewedAt,
      double leaseSeconds) {
    static RelayRow of(SessionView session) {
      return new RelayRow(
          session.relay(),
          session.lanes(),
          session.fence(),
          session.host(),
          session.version(),
          session.configuration(),
          session.joinedAt().toString(),
          session.renewedAt().toString(),
          session.leaseMillis() / 1000.0);
    }

    @Override
    public String toString() {
      return "%s (%d lanes, fence %d, host %s, Waybill %s, configuration %s, renewed %s, lease ends in %d s)"
          .formatted(
              relay,
              lanes,
              fence,
              host,
              version,
              configuration,
              renewedAt,
              Math.round(leaseSeconds));
    }
  }

  /**
   * Lanes that were taken from a dead relay at once, and from no other since.
   *
   * @param from name of the relay
   * @param lanes how many
   * @param cause how it was found dead
   * @param at when
   */
  private record TakeOverRow(String from, long lanes, String cause, String at) {
    /** The latest first. */
    static List<TakeOverRow> of(List<LaneOwner> lanes) {
      Map<LaneOwner.Taken, Long> counted =
          lanes.stream()
              .map(LaneOwner::taken)
              .flatMap(Stream::ofNullable)
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      return counted.entrySet().stream()
          .sorted(
              Comparator.comparing((Map.Entry<LaneOwner.Taken, Long> e) -> e.getKey().at())
                  .reversed())
          .limit(MOST_TAKE_OVERS)
          .map(TakeOverRow::of)
          .toList();
    }

    private static TakeOverRow of(Map.Entry<LaneOwner.Taken, Long> entry) {
      LaneOwner.Taken taken = entry.getKey();
      return new TakeOverRow(
          taken.from(), entry.getValue(), taken.cause().name(), taken.at().toString());
    }

    @Override
    public String toString() {
      return "%d lane(s) of %s at %s: %s"
          .formatted(
              lanes,
              from,
              at,
              switch (TakeOver.Cause.valueOf(cause)) {
                case SESSION_ENDED -> "its session with the database had ended";
                case LEASE_ENDED -> "it had not renewed its lease";
              });
    }
  }
}
