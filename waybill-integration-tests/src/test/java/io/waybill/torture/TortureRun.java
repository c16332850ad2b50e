package io.waybill.torture;

import io.waybill.testkit.Interrupts;
import io.waybill.testkit.ProcessGuard;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/**
 * One run: writers, relays, faults, healing, and the judgement of everything that was delivered.
 */
final class TortureRun {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration CONVERGENCE = Duration.ofSeconds(60);
  // Events per second at which a backlog has to go down at least.
  private static final long LEAST_DRAIN = 300;
  private static final int WARM_UP = 300;
  // More than a relay's clock can be wrong by.
  private static final Duration WRONG_CLOCK = Duration.ofMinutes(20);
  private static final long TURN_NANOS = 200_000_000L;

  private final TortureOptions options;
  private final PrintStream out;
  private final Interrupts interrupts;
  private final FaultLog faults = new FaultLog();
  private final Refusals refusals = new Refusals();
  private final List<String> findings = new ArrayList<>();
  private final String canary;
  private final String password;
  private final long started = System.nanoTime();
  private double convergence;
  private long told;

  TortureRun(TortureOptions options, PrintStream out, Interrupts interrupts) {
    this.options = options;
    this.out = out;
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
    Map<String, String> environment = Map.of("TORTURE_PASSWORD", password);
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
        Fleet fleet = new Fleet(guard, folder, stage, environment, options.bug());
        Recovery recovery = new Recovery(stage, faults);
        Writers writers = new Writers(stage::connectWriter, table, contents, hold)) {
      LogWatch log = new LogWatch(fleet.logs(), Set.of(canary, password));
      People people = new People(stage);
      SetBacks setBacks = new SetBacks(stage, writers, folder);
      Injector injector = new Injector(stage, fleet, faults, recovery, refusals, people, setBacks);
      Cast cast = new Cast(stage, fleet, writers, injector, people, setBacks, recovery, log);
      Thread watch = watch(cast);
      try {
        return perform(cast, folder);
      } finally {
        watch.interrupt();
      }
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Thread watch(Cast cast) {
    Thread thread =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                cast.fleet().supervise();
                cast.log().read();
                LockSupport.parkNanos(300_000_000L);
              }
            },
            "watch");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private Outcome perform(Cast cast, Path folder)
      throws IOException, SQLException, InterruptedException {
    Deck deck = Deck.of(cast.stage(), options.faults());
    deck.leftOut().forEach(this::say);
    boolean oneLink = cast.stage().broker().hasOneAddress();
    FaultPlan plan = FaultPlan.of(options.seed(), options.length(), deck, oneLink);
    try {
      cast.fleet().startAll();
      await(
          "all relays share the lanes",
          () -> cast.gathered() || !cast.fleet().selfEnded().isEmpty() || interrupts.asked());
      if (!cast.fleet().selfEnded().isEmpty()) {
        throw new IllegalStateException("relays do not start, see " + cast.fleet().logs());
      }
      cast.writers().start(options.seed(), options.rate());
      await("the first events", () -> cast.stage().spy().count() >= WARM_UP);
      long end = System.nanoTime() + options.length().toNanos();
      long allowed = (long) FaultPlan.RELAYS * cast.stage().table().connections();
      Leaks.Holdings first = cast.holdings(allowed);
      for (FaultPlan.Epoch epoch : plan.epochs()) {
        if (interrupts.asked() || !findings.isEmpty()) {
          break;
        }
        faulty(cast, epoch);
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
        rest(cast, end);
      }
      cast.writers().close();
      settle(cast);
      findings.addAll(Leaks.between(first, cast.holdings(cast.stage().relayConnections())));
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
    all.addAll(cast.people().findings(evidence.delivered()));
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
      Path kept =
          Keeper.keep(
              options, cast.stage(), folder, new Keeper.History(plan, faults, evidence, outcome));
      say("kept in %s; the same schedule again: --seed %d".formatted(kept, options.seed()));
    }
    return outcome;
  }

  /** Faults whose target is not free, or for which there are too many, wait for their turn. */
  private void faulty(Cast cast, FaultPlan.Epoch epoch) throws InterruptedException {
    long begin = System.nanoTime();
    Deque<FaultPlan.Entry> planned = new ArrayDeque<>(epoch.entries());
    List<FaultPlan.Entry> due = new ArrayList<>();
    boolean asked = false;
    while (!asked && !(planned.isEmpty() && due.isEmpty())) {
      asked = rest(cast, System.nanoTime() + TURN_NANOS);
      Duration now = Duration.ofNanos(System.nanoTime() - begin);
      while (!planned.isEmpty() && planned.element().at().compareTo(now) <= 0) {
        due.add(planned.remove());
      }
      due.removeIf(entry -> happens(cast, entry));
    }
    rest(cast, begin + epoch.length().toNanos());
  }

  private boolean happens(Cast cast, FaultPlan.Entry entry) {
    boolean begun = cast.injector().inject(entry);
    if (begun) {
      say(
          "  %s on %s, %.1f s"
              .formatted(entry.kind().label(), entry.target(), entry.length().toMillis() / 1e3));
    }
    return begun;
  }

  /** Heals, and waits until everything that was committed is delivered and settled. */
  private void settle(Cast cast) throws SQLException, InterruptedException {
    cast.injector().heal();
    long healed = System.nanoTime();
    Set<String> excused = cast.people().excused();
    Set<String> expected = new HashSet<>(cast.stage().texts("select event_id from ledger"));
    expected.removeAll(excused);
    long backlog = Math.max(0, expected.size() - cast.stage().spy().distinct());
    double allowed = CONVERGENCE.toSeconds() + (double) backlog / LEAST_DRAIN;
    await(
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
    await("all relays share the lanes again", () -> cast.gathered());
    Judge.of(cast.evidence(faults)).findings().stream()
        .filter(finding -> !findings.contains(finding))
        .forEach(findings::add);
  }

  /** With a planted bug it is known what to expect of a run that does not converge in time. */
  private Duration patience(double allowedSeconds) {
    Duration allowed = Duration.ofSeconds((long) allowedSeconds);
    return options.bug() == null ? PATIENCE : min(PATIENCE, allowed);
  }

  /** Writers go on, and nothing happens but that a relay is stopped gracefully. */
  private void quiet(Cast cast, Duration length) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    Duration at = Duration.ZERO;
    FaultPlan.Entry stop =
        new FaultPlan.Entry(at, FaultKind.RELAY_STOP, faults.total() % FaultPlan.RELAYS, at, 0);
    say("  quiet; %s is stopped gracefully".formatted(stop.target()));
    cast.injector().inject(stop);
    rest(cast, end);
  }

  private void stopRelays(Cast cast) throws SQLException {
    for (int i = 0; i < FaultPlan.RELAYS; i++) {
      int code = cast.fleet().stop(i);
      if (code != 0) {
        findings.add(Fleet.name(i) + " ended its last stop with exit code " + code);
      }
    }
    long sessions = cast.stage().sessions();
    if (sessions > 0) {
      findings.add(sessions + " sessions are left of relays that were stopped gracefully");
    }
  }

  private static void await(String what, Callable<Boolean> condition) {
    await(what, PATIENCE, condition);
  }

  private static void await(String what, Duration patience, Callable<Boolean> condition) {
    Awaitility.await(what)
        .atMost(patience)
        .pollInterval(Duration.ofMillis(100))
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(condition);
  }

  /** Waits, and says whether the end was asked for meanwhile. */
  private boolean rest(Cast cast, long untilNanos) throws InterruptedException {
    long left = untilNanos - System.nanoTime();
    while (left > 0) {
      if (interrupts.await(Math.min(500, 1 + left / 1_000_000))) {
        return true;
      }
      progress(cast);
      left = untilNanos - System.nanoTime();
    }
    return interrupts.asked();
  }

  private void progress(Cast cast) {
    long now = System.nanoTime();
    if (now - told > 5_000_000_000L) {
      told = now;
      say(
          "%,d events committed, %,d delivered in %,d copies; %d faults, %d of them now"
              .formatted(
                  cast.writers().acknowledged().size(),
                  cast.stage().spy().distinct(),
                  cast.stage().spy().count(),
                  faults.total(),
                  faults.running()));
    }
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
    say("calls that failed in relays: " + cast.injector().relayFailures());
    say("frames lost on purpose: %d".formatted(cast.stage().network().rulesFired()));
    say("duplicates by cause: %s".formatted(judgement.duplicates().byKind()));
    Recovery recovery = cast.recovery();
    say(
        ("seconds, undisturbed by other faults: take-over %s; first publish after the database %s,"
                + " after the broker %s")
            .formatted(
                recovery.takeovers(), recovery.databaseRestarts(), recovery.brokerRestarts()));
    recovery.late().forEach(each -> say("late take-over of " + each));
    say("relays that ended by themselves under faults: %s".formatted(cast.fleet().selfEnded()));
    say("ERROR lines under faults: %d".formatted(cast.log().errors().size()));
  }

  private void say(String what) {
    long seconds = (System.nanoTime() - started) / 1_000_000_000;
    out.printf("%d:%02d %s%n", seconds / 60, seconds % 60, what);
  }
}
