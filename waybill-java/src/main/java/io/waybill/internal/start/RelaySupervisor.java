package io.waybill.internal.start;

import io.waybill.broker.Broker;
import io.waybill.broker.Publisher;
import io.waybill.database.OutboxTables;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.internal.relay.shell.Relay;
import io.waybill.internal.relay.shell.Stores;
import io.waybill.internal.work.Ticker;
import io.waybill.internal.work.WallClock;
import io.waybill.jdbc.CommitNotifier;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.observe.OutboxHealth;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.RelaySignal;
import io.waybill.policy.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks, starts and supervises the relay of a {@link RelayDefinition}, with what belongs to it:
 * retention, history, and notifications of commits. A supervisor lives once, from {@link #start} to
 * {@link #stop}; within that time the relay may begin several times. Thread-safe.
 */
public final class RelaySupervisor implements RelaySignal {
  private static final Logger LOG = LoggerFactory.getLogger(RelaySupervisor.class);

  private final RelayDefinition definition;
  private final StartChecks checks;
  private final boolean warnOnly;
  private final RelayListener listener;
  private final @Nullable Consumer<Throwable> gaveUp;
  private final Supervisor supervisor;
  private volatile @Nullable String refusal;
  private volatile boolean checked;
  private List<String> told = List.of();
  private volatile @Nullable Relay relay;
  private volatile @Nullable CommitNotifier notifier;
  private @Nullable CommitListener commits;
  private @Nullable RetentionJob retention;
  private final RelayHistory history = new RelayHistory(WallClock.SYSTEM);
  private @Nullable HistoryJob historian;

  /**
   * Prepares a relay.
   *
   * @param checks the relay, and the checks before it begins
   * @param warnOnly whether the relay starts although a finding refuses that, with a warning
   * @param health told what the relay does
   * @param gaveUp receives what ended the relay for good, also a refusal; null if it begins again
   *     after a failure, and if a refused start is tried again
   */
  public RelaySupervisor(
      StartChecks checks,
      boolean warnOnly,
      OutboxHealth health,
      @Nullable Consumer<Throwable> gaveUp) {
    this.definition = checks.definition();
    this.checks = checks;
    this.warnOnly = warnOnly;
    this.listener =
        definition.history().isZero()
            ? RelayListener.all(List.of(definition.listener(), health))
            : RelayListener.all(List.of(definition.listener(), health, history));
    this.gaveUp = gaveUp;
    Run run = new Run();
    this.supervisor =
        new Supervisor(
            "relay " + definition.name(),
            run,
            gaveUp == null ? Supervisor.AfterFailure.RESTART : Supervisor.AfterFailure.GIVE_UP,
            run);
  }

  /** Starts the relay on its own threads; returns before anything has been checked. */
  public void start() {
    supervisor.start();
  }

  /**
   * Checks first, on the calling thread, and then starts the relay like {@link #start}. A database
   * or broker that does not answer is no refusal: the relay waits for it.
   *
   * @return the findings that refuse the start; none if the relay has been started
   */
  public List<Finding> startChecked() {
    try {
      Checked first = look();
      if (!first.refusing().isEmpty()) {
        return first.refusing();
      }
      checked = first.waiting() == null;
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw e;
    } catch (RuntimeException e) {
      // A database or broker that is away, in whatever words: the supervisor waits for it.
      LOG.debug("Checked again on the supervisor's thread", e);
    }
    start();
    return List.of();
  }

  /**
   * Why the relay does not run for now.
   *
   * @return one sentence, or null if it runs
   */
  public @Nullable String refusal() {
    return refusal;
  }

  /** Wakes the relay and, where that is asked for, relays in other processes. */
  @Override
  public void wake() {
    wakeOwn();
    CommitNotifier others = notifier;
    if (others != null) {
      others.wake();
    }
  }

  private void wakeOwn() {
    Relay running = relay;
    if (running != null) {
      running.wake();
    }
  }

  /**
   * Stops the relay and its supervision.
   *
   * @param grace longest time to wait for events in flight
   * @return whether everything was settled and released in time
   */
  public boolean stop(Duration grace) {
    return supervisor.stop(grace);
  }

  /** Why the relay has to wait, or null, and the findings that refuse its start. */
  private record Checked(@Nullable String waiting, List<Finding> refusing) {}

  /** Declares and checks. */
  private Checked look() {
    List<Finding> findings = new ArrayList<>(definition.broker().declare());
    // What is to be declared has to be there before the first event.
    Optional<Finding> silent =
        findings.stream().filter(each -> each.check() == Check.RABBITMQ_SILENT).findFirst();
    if (silent.isPresent()) {
      return new Checked(silent.get().detail(), List.of());
    }
    findings.addAll(checks.run());
    List<Finding> refusing =
        warnOnly ? List.of() : findings.stream().filter(RelaySupervisor::refuses).toList();
    String but = refusing.isEmpty() ? "; the relay starts nevertheless" : "";
    findings.removeAll(refusing);
    tell(findings, but);
    return new Checked(null, refusing);
  }

  /** Once, since a refused start is tried again every second. */
  private void tell(List<Finding> findings, String but) {
    List<String> lines = new ArrayList<>();
    // What is declared and what is checked can be the same.
    for (Finding finding : new LinkedHashSet<>(findings)) {
      boolean note = finding.severity() == Finding.Severity.NOTE;
      String line = text(finding) + (note ? "" : but);
      lines.add(line);
      if (told.contains(line)) {
        continue;
      }
      if (note) {
        LOG.info(line);
      } else {
        LOG.warn(line);
      }
    }
    told = lines;
  }

  private String text(Finding finding) {
    return "outbox " + definition.outbox() + ": " + finding.text();
  }

  private static boolean refuses(Finding finding) {
    return finding.severity() == Finding.Severity.REFUSE;
  }

  /** The job that the supervisor keeps running. */
  private final class Run implements Supervisor.Job, Supervisor.Watcher {
    @Override
    public @Nullable String check() {
      if (checked) {
        return null;
      }
      Checked found = look();
      return found.refusing().isEmpty() ? found.waiting() : refused(found.refusing());
    }

    private String refused(List<Finding> findings) {
      if (gaveUp == null) {
        return findings.stream().map(Finding::text).collect(Collectors.joining("; "));
      }
      findings.forEach(each -> LOG.error("{}; the relay does not start", text(each)));
      throw new Supervisor.Refused(
          "outbox " + definition.outbox() + ": a start-up check refuses it");
    }

    @Override
    public void begin(Consumer<Throwable> failed) {
      checked = false;
      OutboxTables tables = definition.tables().get();
      // First, since tables whose rows tell no age refuse it.
      if (definition.retention() != null) {
        retention =
            RetentionJob.start(definition.outbox(), tables.retention(), definition.retention());
      }
      relay = relay(tables, failed);
      if (!definition.history().isZero()) {
        historian =
            new HistoryJob(definition.outbox(), tables.admin(), definition.history(), history);
        historian.start();
      }
      if (tables instanceof PostgresOutbox own) {
        notifications(own);
      }
      refusal = null;
    }

    private Relay relay(OutboxTables tables, Consumer<Throwable> failed) {
      RelayRules rules = definition.routes().rules();
      Broker broker = definition.broker();
      Publisher publisher =
          definition
              .decorator()
              .apply(broker.publisher(definition.routes().destinations()), broker.client());
      EngineSettings usual =
          EngineSettings.defaults(publisher.deliveryTimeout(), publisher.maxInFlightPerKey())
              .polling(tables.polling());
      return new Relay(
          definition.name(),
          definition.settings().apply(usual),
          new Stores(tables.lanes(), tables.reader(), tables.store(), tables.toString()),
          publisher,
          rules,
          listener,
          failed);
    }

    private void notifications(PostgresOutbox own) {
      if (definition.listen()) {
        commits = CommitListener.start(definition.name(), own, RelaySupervisor.this::wakeOwn);
      }
      if (definition.notificationPause() != null) {
        notifier = CommitNotifier.start(own, definition.notificationPause());
      }
    }

    @Override
    public boolean end(Duration grace) {
      long deadline = Ticker.SYSTEM.nanos() + grace.toNanos();
      Relay running = relay;
      boolean clean = running == null || running.stop(grace);
      relay = null;
      // The relay goes on for a moment, and is to be told of commits for so long.
      if (commits != null) {
        commits.close();
        commits = null;
      }
      CommitNotifier telling = notifier;
      if (telling != null) {
        notifier = null;
        telling.close();
      }
      if (retention != null) {
        retention.close();
        retention = null;
      }
      if (historian != null) {
        historian.close(Duration.ofNanos(deadline - Ticker.SYSTEM.nanos()));
        historian = null;
      }
      return clean;
    }

    @Override
    public void waits(String reason) {
      refusal = reason;
      listener.on(new RelayEvent.Waiting(reason));
    }

    @Override
    public void gaveUp(Throwable cause) {
      if (gaveUp != null) {
        gaveUp.accept(cause);
      }
    }
  }
}
