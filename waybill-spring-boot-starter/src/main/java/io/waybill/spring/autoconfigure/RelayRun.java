package io.waybill.spring.autoconfigure;

import io.waybill.CommitListener;
import io.waybill.RetentionJob;
import io.waybill.Supervisor;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.relay.Relay;
import io.waybill.spring.WakeUp;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.config.ConfigException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One life of the relay. */
final class RelayRun extends BackgroundRun {
  private static final Logger LOG = LoggerFactory.getLogger(RelayRun.class);

  private final RelayParts parts;
  private final WakeUp wakeUp;
  private final @Nullable RelayFailureHandler failures;
  private @Nullable Relay relay;
  private @Nullable RetentionJob retention;
  private @Nullable CommitListener commits;

  /**
   * A life.
   *
   * @param failures ends the process; null if the relay begins again
   */
  RelayRun(RelayParts parts, WakeUp wakeUp, @Nullable RelayFailureHandler failures) {
    super(
        "relay",
        parts.outbox().relay(),
        failures == null ? Supervisor.AfterFailure.RESTART : Supervisor.AfterFailure.GIVE_UP);
    this.parts = parts;
    this.wakeUp = wakeUp;
    this.failures = failures;
  }

  @Override
  public @Nullable String check() {
    try {
      return refusalOrNull();
    } catch (ConfigException e) {
      throw new Supervisor.Refused(String.valueOf(e.getMessage()));
    } catch (WaybillStartException e) {
      // Of a database that no start of the application waits for: it may come yet.
      return e.getMessage() + " " + e.action();
    }
  }

  private @Nullable String refusalOrNull() {
    List<Finding> findings = new ArrayList<>(parts.declare());
    // What is to be declared has to be there before the first event.
    Optional<Finding> silent = findings.stream().filter(RelayRun::isSilent).findFirst();
    if (silent.isPresent()) {
      return silent.get().detail();
    }
    findings.addAll(parts.check());
    List<Finding> refused = findings.stream().filter(RelayRun::refuses).toList();
    if (refused.isEmpty()) {
      findings.forEach(finding -> LOG.warn("{}; the relay starts nevertheless", text(finding)));
      return null;
    }
    if (failures == null) {
      return refused.stream().map(Problems::text).collect(Collectors.joining("; "));
    }
    findings.stream().filter(each -> !refuses(each)).forEach(each -> LOG.warn("{}", text(each)));
    refused.forEach(each -> LOG.error("{}; the relay does not start", text(each)));
    throw new Supervisor.Refused(
        "outbox " + parts.outbox().name() + ": a start-up check refuses it");
  }

  private String text(Finding finding) {
    return "outbox " + parts.outbox().name() + ": " + Problems.text(finding);
  }

  private static boolean refuses(Finding finding) {
    return finding.severity() == Finding.Severity.REFUSE;
  }

  @Override
  public void gaveUp(Throwable cause) {
    if (failures != null) {
      failures.onFailure(parts.outbox().name(), cause);
    }
  }

  private static boolean isSilent(Finding finding) {
    return finding.check() == Check.RABBITMQ_SILENT;
  }

  @Override
  void begun(Consumer<Throwable> failed) {
    Relay started = parts.start(failed);
    relay = started;
    retention = parts.retention();
    commits = parts.listener(started);
    wakeUp.relay(started::nudge);
  }

  @Override
  public boolean end(Duration grace) {
    wakeUp.relay(null);
    if (commits != null) {
      commits.close();
      commits = null;
    }
    boolean clean = relay == null || relay.stop(grace);
    relay = null;
    if (retention != null) {
      retention.close();
      retention = null;
    }
    return clean;
  }
}
