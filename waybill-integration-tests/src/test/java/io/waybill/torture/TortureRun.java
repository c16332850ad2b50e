package io.waybill.torture;

import io.waybill.proof.Interrupts;
import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One run: writers, relays, faults, healing, and the judgement of everything that was delivered.
 */
final class TortureRun {
  private static final Duration CONVERGENCE = Duration.ofSeconds(60);
  // Events per second at which a backlog has to go down at least.
  private static final long LEAST_DRAIN = 300;
  private static final int WARM_UP = 300;
  // More than a relay's clock can be wrong by.
  private static final Duration WRONG_CLOCK = Duration.ofMinutes(20);

  private final TortureOptions options;
  private final RunLog run;
  private final Interrupts interrupts;
  private final FaultLog faults = new FaultLog();
  private final Refusals refusals = new Refusals();
  private final List<String> findings = new ArrayList<>();
  private final String canary;
  private final String password;
  private double convergence;

  TortureRun(TortureOptions options, PrintStream out, Interrupts interrupts) {
    this.options = options;
    this.run = new RunLog(out);
    this.interrupts = interrupts;
    this.canary = "canary-payload-" + Long.toHexString(options.seed() * 0x9E3779B97F4A7C15L);
    this.password = "canary-secret-" + Long.toHexString(options.seed() * 0xC2B2AE3D27D4EB4FL);
  }

  Outcome run() throws IOException, SQLException, InterruptedException {
    OutboxTable table =
        options.notification()
            ? new NotificationTable(options.pair().database())
            : new OwnTable(options.pair(), options.seed() % 2 == 1);
    say(
        "%s, %s, seed %d: starting servers"
            .formatted(
                options.pair().label(),
                table.configuration().lines().findFirst().orElse(""),
                options.seed()));
    Path folder = Files.createTempDirectory("waybill-torture-");
    Contents contents = new Contents(canary, !table.anyBytes());
    Duration hold = min(Duration.ofMinutes(1), options.length().dividedBy(10));
    try (ProcessGuard guard = new ProcessGuard(folder);
        Stage stage =
            new Stage(
                options.pair(),
                table,
                password,
                new Clocks(folder),
                options.length().plus(WRONG_CLOCK));
        Recovery recovery = new Recovery(stage, faults);
        Writers writers = new Writers(stage::connectWriter, table, contents, hold)) {
      RelayFleet relays = new RelayFleet(guard, folder, stage, options.bug());
      People people = new People(stage);
      SetBacks setBacks = new SetBacks(new DataCopy(stage.database(), folder), writers);
      try (Fleet fleet = new Fleet(Role.RELAY, folder, relays::start)) {
        LogWatch log = new LogWatch(fleet.logs(), Set.of(canary, password));
        RelayFaults happenings =
            new RelayFaults(stage, fleet, relays, faults, recovery, refusals, people, setBacks);
        Injector injector = new Injector(faults, happenings);
        Schedule schedule = new Schedule(interrupts, injector, run, () -> progress(stage, writers));
        Cast cast =
            new Cast(
                stage,
                fleet,
                writers,
                injector,
                happenings,
                schedule,
                people,
                setBacks,
                recovery,
                log);
        Thread watch = fleet.watch(log);
        try {
          return perform(cast, folder);
        } finally {
          watch.interrupt();
        }
      }
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Outcome perform(Cast cast, Path folder)
      throws IOException, SQLException, InterruptedException {
    Deck deck = Deck.of(cast.stage(), options.faults());
    deck.leftOut().forEach(this::say);
    boolean oneLink = cast.stage().broker().hasOneAddress();
    FaultPlan plan = FaultPlan.of(options.seed(), options.length(), deck, oneLink);
    try {
      cast.fleet().startAll();
      Schedule.await(
          "all relays share the lanes",
          () -> cast.gathered() || !cast.fleet().selfEnded().isEmpty() || interrupts.asked());
      if (!cast.fleet().selfEnded().isEmpty()) {
        throw new IllegalStateException("relays do not start, see " + cast.fleet().logs());
      }
      cast.writers().start(options.seed(), options.rate());
      Schedule.await("the first events", () -> cast.stage().spy().count() >= WARM_UP);
      long end = System.nanoTime() + options.length().toNanos();
      long allowed = (long) FaultPlan.PROCESSES * cast.stage().table().connections();
      Leaks.Holdings first = cast.holdings(allowed);
      for (FaultPlan.Epoch epoch : plan.epochs()) {
        if (interrupts.asked() || !findings.isEmpty()) {
          break;
        }
        cast.schedule().play(epoch);
        cast.writers().pause();
        try {
          settle(cast);
        } finally {
          cast.writers().resume();
        }
        quiet(cast, plan.quiet());
      }
      if (findings.isEmpty()) {
        // Convergence took less time than was planned for it.
        cast.schedule().rest(end);
      }
      cast.writers().close();
      settle(cast);
      findings.addAll(Leaks.between(first, cast.holdings(cast.stage().connectionsAtRest(allowed))));
      stopRelays(cast);
      long deleted = cast.stage().broker().deletedByTime();
      if (deleted > 0) {
        findings.add(
            deleted + " records were deleted because of their times before they were over");
      }
      if (!interrupts.asked() && options.faults().isEmpty()) {
        findings.addAll(Guarantee.missing(options.length(), faults.counts()));
      }
    } catch (RuntimeException e) {
      findings.add("the run broke off: " + e);
    }
    return conclude(cast, folder, plan);
  }

  private Outcome conclude(Cast cast, Path folder, FaultPlan plan)
      throws IOException, SQLException, InterruptedException {
    cast.writers().close();
    cast.injector().heal();
    cast.log().read();
    Evidence evidence = cast.evidence(faults);
    Judge.Judgement judgement = Judge.of(evidence);
    List<String> all = new ArrayList<>(judgement.findings());
    Map<String, String> destinations =
        Refusals.destinations(evidence.ledger(), cast.stage().table());
    all.addAll(refusals.findings(evidence.delivered(), destinations));
    // A queue becomes full since nobody reads it.
    boolean stops = cast.stage().broker().refusals().contains(FaultKind.QUEUE_FULL);
    long unread = stops ? FaultPlan.LONGEST_REFUSAL_MILLIS : 0;
    all.addAll(cast.people().deeds().findings(evidence.delivered(), unread));
    findings.stream().filter(each -> !all.contains(each)).forEach(all::add);
    Outcome outcome =
        new Outcome(
            options.pair().label(),
            options.seed(),
            evidence.ledger().size(),
            faults.total(),
            faults.kills(),
            new Outcome.Counts(
                judgement.verdict().lost(),
                judgement.verdict().ghosts(),
                judgement.verdict().orderViolations(),
                judgement.duplicates().total(),
                judgement.duplicates().unexplained().size(),
                evidence.rows().dead(),
                evidence.rows().parked()),
            convergence,
            all);
    if (!outcome.holds()) {
      say("the oracle objects: " + all.get(0));
    }
    report(cast, judgement);
    refusals.lines(evidence.delivered(), destinations).forEach(this::say);
    if (!outcome.holds()) {
      Stage stage = cast.stage();
      Path kept =
          Keeper.keep(
              options,
              new Keeper.Servers(stage.network(), stage.broker(), stage.database()),
              folder,
              new Keeper.History(plan, faults, outcome, Keeper.of(evidence)));
      say("kept in %s; the same schedule again: --seed %d".formatted(kept, options.seed()));
    }
    return outcome;
  }

  /** Heals, and waits until everything that was committed is delivered and settled. */
  private void settle(Cast cast) throws SQLException, InterruptedException {
    cast.injector().heal();
    long healed = System.nanoTime();
    Set<String> excused = cast.people().deeds().excused();
    Set<String> expected = new HashSet<>(cast.stage().texts("select event_id from ledger"));
    expected.removeAll(excused);
    long backlog = Math.max(0, expected.size() - cast.stage().spy().distinct());
    double allowed = CONVERGENCE.toSeconds() + (double) backlog / LEAST_DRAIN;
    Schedule.await(
        "everything delivered and settled",
        patience(allowed),
        () ->
            cast.stage().spy().saw(expected)
                && cast.stage().number(cast.stage().table().unsettled()) == 0);
    double seconds = (System.nanoTime() - healed) / 1e9;
    convergence = Math.max(convergence, seconds);
    say("healed; backlog of %d events converged in %.1f s".formatted(backlog, seconds));
    if (seconds > allowed) {
      findings.add("convergence took %.1f s for %d events".formatted(seconds, backlog));
    }
    Schedule.await("all relays share the lanes again", () -> cast.gathered());
    Judge.of(cast.evidence(faults)).findings().stream()
        .filter(finding -> !findings.contains(finding))
        .forEach(findings::add);
  }

  /** With a planted bug it is known what to expect of a run that does not converge in time. */
  private Duration patience(double allowedSeconds) {
    Duration allowed = Duration.ofSeconds((long) allowedSeconds);
    return options.bug() == null ? Schedule.PATIENCE : min(Schedule.PATIENCE, allowed);
  }

  /** Writers go on, and nothing happens but that a relay is stopped gracefully. */
  private void quiet(Cast cast, Duration length) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    Duration at = Duration.ZERO;
    FaultPlan.Entry stop =
        new FaultPlan.Entry(
            at, FaultKind.RELAY_STOP, Role.RELAY, faults.total() % FaultPlan.PROCESSES, at, 0);
    say("  quiet; %s is stopped gracefully".formatted(stop.target()));
    cast.injector().inject(stop);
    cast.schedule().rest(end);
  }

  private void stopRelays(Cast cast) throws SQLException {
    for (int i = 0; i < FaultPlan.PROCESSES; i++) {
      int code = cast.fleet().stop(i);
      if (code != 0) {
        findings.add(Role.RELAY.name(i) + " ended its last stop with exit code " + code);
      }
    }
    long sessions = cast.stage().sessions();
    if (sessions > 0) {
      findings.add(sessions + " sessions are left of relays that were stopped gracefully");
    }
  }

  private String progress(Stage stage, Writers writers) {
    return "%,d events committed, %,d delivered in %,d copies; %d faults, %d of them now"
        .formatted(
            writers.acknowledged().size(),
            stage.spy().distinct(),
            stage.spy().count(),
            faults.total(),
            faults.running());
  }

  private void report(Cast cast, Judge.Judgement judgement) throws SQLException {
    say(cast.writers().tally().toString());
    say("faults: %s".formatted(faults.counts()));
    if (cast.stage().table().traces().isPresent()) {
      say(
          "notes left about rows: %d"
              .formatted(cast.stage().number(cast.stage().table().traces().get())));
    }
    say("done by people: " + new TreeMap<>(cast.people().tally()));
    say("calls that failed in relays: " + cast.happenings().relayFailures());
    say("frames lost on purpose: %d".formatted(cast.stage().network().rulesFired()));
    say("duplicates by cause: %s".formatted(judgement.duplicates().byKind()));
    Recovery recovery = cast.recovery();
    say(
        ("seconds, undisturbed by other faults: take-over %s; first publish after the database %s,"
                + " after the broker %s; lanes that moved after the database %s")
            .formatted(
                recovery.takeovers(),
                recovery.databaseRestarts(),
                recovery.brokerRestarts(),
                recovery.lanesMoved()));
    recovery.late().forEach(each -> say("late take-over of " + each));
    say("relays that ended by themselves under faults: %s".formatted(cast.fleet().selfEnded()));
    say("ERROR lines under faults: %d".formatted(cast.log().errors().size()));
  }

  private void say(String what) {
    run.say(what);
  }
}
