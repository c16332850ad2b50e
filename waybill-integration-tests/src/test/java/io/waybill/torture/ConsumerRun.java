package io.waybill.torture;

import io.waybill.proof.Interrupts;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.torture.planted.ConsumerBug;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** One run of consumers: a producer, faults, healing, and the judgement of all effects. */
final class ConsumerRun {
  // The longest pause before a dead letter is sent again, and half as much.
  private static final Duration CONVERGENCE = Duration.ofSeconds(90);
  // Events per second at which a backlog has to go down at least.
  private static final int LEAST_DRAIN = 50;
  private static final int WARM_UP = 100;

  private final TortureOptions options;
  private final RunLog run;
  private final Interrupts interrupts;
  private final FaultLog faults = new FaultLog();
  private final List<String> findings = new ArrayList<>();
  private final String canary;
  private final String password;
  private double convergence;

  ConsumerRun(TortureOptions options, PrintStream out, Interrupts interrupts) {
    this.options = options;
    this.run = new RunLog(out);
    this.interrupts = interrupts;
    this.canary = "canary-payload-" + Long.toHexString(options.seed() * 0x9E3779B97F4A7C15L);
    this.password = "canary-secret-" + Long.toHexString(options.seed() * 0xC2B2AE3D27D4EB4FL);
  }

  /** What a run is made of. */
  private record Parts(
      ConsumerStage stage,
      Fleet fleet,
      Events events,
      Injector injector,
      ConsumerFaults happenings,
      Schedule schedule,
      LogWatch log) {}

  Outcome run() throws IOException, SQLException, InterruptedException {
    run.say(
        "consumers of %s, seed %d: starting servers"
            .formatted(options.pair().label(), options.seed()));
    Path folder = Files.createTempDirectory("waybill-torture-");
    ConsumerBug bug = Objects.requireNonNullElse(options.consumerBug(), ConsumerBug.NONE);
    try (ProcessGuard guard = new ProcessGuard(folder);
        ConsumerStage stage = new ConsumerStage(options.pair(), password)) {
      ConsumerFleet versions = new ConsumerFleet(guard, folder, stage, bug);
      try (Fleet fleet = new Fleet(Role.CONSUMER, folder, versions::start);
          Events events =
              new Events(stage.feed(), canary, options.seed(), options.rate(), versions::version)) {
        LogWatch log = new LogWatch(fleet.logs(), Set.of(canary, password));
        DataCopy earlier = new DataCopy(stage.database(), folder);
        ConsumerFaults happenings =
            new ConsumerFaults(stage, fleet, versions, events, earlier, faults);
        Injector injector = new Injector(faults, happenings);
        Schedule schedule = new Schedule(interrupts, injector, run, () -> progress(stage, events));
        Thread watch = fleet.watch(log);
        try {
          return perform(
              new Parts(stage, fleet, events, injector, happenings, schedule, log), folder);
        } finally {
          watch.interrupt();
        }
      }
    }
  }

  private String progress(ConsumerStage stage, Events events) {
    String applied;
    try {
      applied = stage.database().texts("select count(*) from effect").get(0);
    } catch (SQLException e) {
      applied = "unknown";
    }
    return "%,d events published, %,d copies; effects %s, %,d dead letters; %d faults, %d of them now"
        .formatted(
            events.count(),
            events.copies(),
            applied,
            stage.feed().letters().count(),
            faults.total(),
            faults.running());
  }

  private Outcome perform(Parts parts, Path folder)
      throws IOException, SQLException, InterruptedException {
    Deck deck =
        Deck.ofConsumers(
            options.pair(), parts.stage().database().disk().missing(), options.faults());
    deck.leftOut().forEach(run::say);
    FaultPlan plan =
        FaultPlan.of(
            options.seed(), options.length(), deck, parts.stage().broker().hasOneAddress());
    try {
      parts.fleet().startAll();
      parts.events().start();
      Schedule.await(
          "the first effects",
          () ->
              parts.stage().database().number("select count(*) from effect") >= WARM_UP
                  || interrupts.asked());
      long end = System.nanoTime() + options.length().toNanos();
      for (FaultPlan.Epoch epoch : plan.epochs()) {
        if (interrupts.asked() || !findings.isEmpty()) {
          break;
        }
        parts.schedule().play(epoch);
        settle(parts);
        parts.events().resume();
        quiet(parts, plan.quiet());
      }
      if (findings.isEmpty()) {
        // Convergence took less time than was planned for it.
        parts.schedule().rest(end);
      }
      settle(parts);
      stop(parts);
      if (!interrupts.asked() && options.faults().isEmpty()) {
        findings.addAll(Guarantee.missing(options.length(), faults.counts()));
      }
    } catch (RuntimeException e) {
      findings.add("the run broke off: " + e);
    }
    return conclude(parts, folder, plan);
  }

  /** Heals, and waits until something came of every event and all is acknowledged. */
  private void settle(Parts parts) throws SQLException, InterruptedException {
    parts.injector().heal();
    parts.events().pause();
    long healed = System.nanoTime();
    int open = open(effects(parts));
    double allowed = CONVERGENCE.toSeconds() + (double) open / LEAST_DRAIN;
    Schedule.await(
        "an effect or a dead letter of every event, and all acknowledged",
        options.consumerBug() == null ? Schedule.PATIENCE : Duration.ofSeconds((long) allowed),
        () ->
            parts.stage().deferred() == 0
                && parts.stage().unacknowledged() == 0
                && effects(parts).isComplete());
    double seconds = (System.nanoTime() - healed) / 1e9;
    convergence = Math.max(convergence, seconds);
    run.say("healed; %d open events converged in %.1f s".formatted(open, seconds));
    if (seconds > allowed) {
      findings.add("convergence took %.1f s for %d events".formatted(seconds, open));
    }
    effects(parts).judge().findings().stream()
        .filter(finding -> !findings.contains(finding))
        .forEach(findings::add);
  }

  private static int open(Effects effects) {
    return (int) effects.judge().figures().lost();
  }

  private Effects effects(Parts parts) throws SQLException {
    Evidence.Processes consumers =
        new Evidence.Processes(
            parts.fleet().selfEnded(),
            parts.log().errors(),
            parts.log().leaks(),
            List.of(),
            parts.injector().failures());
    return new Effects(
        parts.events().published(),
        parts.stage().applied(),
        parts.stage().letters(),
        faults.causes(),
        consumers,
        faults.counts().containsKey(FaultKind.DATABASE_SET_BACK));
  }

  /** The producer goes on, and nothing happens but that a consumer is stopped gracefully. */
  private void quiet(Parts parts, Duration length) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    int consumer = faults.total() % FaultPlan.PROCESSES;
    FaultPlan.Entry stop =
        new FaultPlan.Entry(
            Duration.ZERO, FaultKind.CONSUMER_STOP, Role.CONSUMER, consumer, Duration.ZERO, 0);
    run.say("  quiet; %s is stopped gracefully".formatted(stop.target()));
    parts.injector().inject(stop);
    parts.schedule().rest(end);
  }

  private void stop(Parts parts) {
    for (int i = 0; i < FaultPlan.PROCESSES; i++) {
      int code = parts.fleet().stop(i);
      if (code != 0) {
        findings.add(Role.CONSUMER.name(i) + " ended its last stop with exit code " + code);
      }
    }
  }

  private Outcome conclude(Parts parts, Path folder, FaultPlan plan)
      throws IOException, SQLException, InterruptedException {
    parts.injector().heal();
    parts.log().read();
    Effects effects = effects(parts);
    Effects.Judgement judgement = effects.judge();
    List<String> all = new ArrayList<>(judgement.findings());
    findings.stream().filter(each -> !all.contains(each)).forEach(all::add);
    Outcome outcome =
        new Outcome(
            options.pair().label(),
            options.seed(),
            effects.published().size(),
            faults.total(),
            faults.kills(),
            judgement.figures(),
            convergence,
            all);
    if (!outcome.holds()) {
      run.say("the oracle objects: " + all.get(0));
    }
    run.say("counted: " + judgement.figures().members());
    run.say("copies published: %,d".formatted(parts.events().copies()));
    run.say("faults: " + faults.counts());
    run.say("topics: " + parts.happenings().topics());
    run.say("frames lost on purpose: " + parts.stage().network().rulesFired());
    run.say("consumers that ended by themselves under faults: " + parts.fleet().selfEnded());
    run.say("ERROR lines under faults: " + parts.log().errors().size());
    if (!outcome.holds()) {
      ConsumerStage stage = parts.stage();
      Path kept =
          Keeper.keep(
              options,
              new Keeper.Servers(stage.network(), stage.broker(), stage.database()),
              folder,
              new Keeper.History(plan, faults, outcome, Keeper.of(effects)));
      run.say("kept in %s; the same schedule again: --seed %d".formatted(kept, options.seed()));
    }
    return outcome;
  }
}
