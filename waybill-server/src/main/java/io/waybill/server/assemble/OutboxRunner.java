package io.waybill.server.assemble;

import io.waybill.CommitListener;
import io.waybill.RetentionJob;
import io.waybill.Supervisor;
import io.waybill.broker.Publisher;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.Stores;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.ServerConfig;
import io.waybill.server.config.TableConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One outbox from its start-up checks to a running relay, supervised on its own: a database or
 * broker that is down delays its own outbox and no other. A relay that has failed ends the process,
 * which is started again by whatever runs it.
 */
final class OutboxRunner implements Supervisor.Job, Supervisor.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRunner.class);

  private final ServerConfig server;
  private final OutboxConfig config;
  private final String relayName;
  private final RelayListener listener;
  private final Consumer<Throwable> gaveUp;
  private final Tracing tracing;
  private final Supervisor supervisor;
  private @Nullable Relay relay;
  private @Nullable RetentionJob retention;
  private @Nullable CommitListener commits;

  OutboxRunner(
      ServerConfig server,
      OutboxConfig config,
      Tracing tracing,
      RelayListener listener,
      Consumer<Throwable> gaveUp) {
    this.server = server;
    this.config = config;
    this.relayName = server.relayName();
    this.tracing = tracing;
    this.listener = listener;
    this.gaveUp = gaveUp;
    this.supervisor =
        new Supervisor("relay " + config.name(), this, Supervisor.AfterFailure.GIVE_UP, this);
  }

  void start() {
    supervisor.start();
  }

  /** Stops; returns whether all work was settled within the grace period. */
  boolean stop(Duration grace) {
    return supervisor.stop(grace);
  }

  @Override
  public void waits(String reason) {
    listener.on(new RelayEvent.Waiting(reason));
  }

  @Override
  public void gaveUp(Throwable cause) {
    gaveUp.accept(cause);
  }

  @Override
  public @Nullable String check() {
    List<Finding> findings = new ArrayList<>(StartChecks.declare(config));
    Optional<Finding> unreachable = findings.stream().filter(OutboxRunner::isSilence).findFirst();
    if (unreachable.isPresent()) {
      return unreachable.get().detail();
    }
    findings.addAll(StartChecks.of(server, config));
    pass(findings);
    return null;
  }

  /** What else is told of a declaration is worth knowing, and declared all the same. */
  private static boolean isSilence(Finding finding) {
    return finding.check() == Check.RABBITMQ_SILENT;
  }

  private void pass(List<Finding> findings) {
    boolean refused =
        findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.REFUSE);
    for (Finding finding : findings) {
      if (finding.severity() == Finding.Severity.REFUSE) {
        LOG.error("{}; the relay does not start", StartChecks.text(config, finding));
      } else {
        LOG.warn(
            refused ? "{}" : "{}; the relay starts nevertheless",
            StartChecks.text(config, finding));
      }
    }
    if (refused) {
      throw new Supervisor.Refused("outbox " + config.name() + ": a start-up check refuses it");
    }
  }

  @Override
  public void begin(Consumer<Throwable> failed) {
    Publisher publisher =
        tracing.around(Publishers.of(config, relayName), config.broker().transport());
    OutboxTables tables = Databases.tables(config, relayName);
    Relay started =
        new Relay(
            relayName + "-" + config.name(),
            Rules.settings(config, publisher.deliveryTimeout(), publisher.maxInFlightPerKey()),
            new Stores(tables.lanes(), tables.reader(), tables.store(), tables.toString()),
            publisher,
            Rules.of(config),
            listener,
            failed);
    relay = started;
    TableConfig table = config.table();
    if (table.listen() && tables instanceof PostgresOutbox own) {
      commits = CommitListener.start(relayName + "-" + config.name(), own, started::nudge);
    }
    boolean kept = !table.own() || table.onPublished() == TableConfig.OnPublished.KEEP;
    Duration age = table.retention();
    if (kept && age != null) {
      retention = RetentionJob.start(config.name(), tables.retention(), age);
    }
  }

  @Override
  public boolean end(Duration grace) {
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
