package io.waybill.server.assemble;

import io.waybill.CommitListener;
import io.waybill.RetentionJob;
import io.waybill.broker.Publisher;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.observe.Finding;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.Stores;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.ServerConfig;
import io.waybill.server.config.TableConfig;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one outbox from its start-up checks to a running relay, on a thread of its own: a database
 * or broker that is down delays its own outbox and no other.
 */
final class OutboxRunner {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRunner.class);
  private static final long PAUSE_SECONDS = 2;

  private final ServerConfig server;
  private final OutboxConfig config;
  private final String relayName;
  private final RelayListener listener;
  private final Runnable refused;
  private final Runnable failed;
  private final Tracing tracing;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;
  private @Nullable Relay relay;
  private @Nullable RetentionJob retention;
  private @Nullable CommitListener commits;

  OutboxRunner(
      ServerConfig server,
      OutboxConfig config,
      Tracing tracing,
      RelayListener listener,
      Runnable refused,
      Runnable failed) {
    this.server = server;
    this.config = config;
    this.relayName = server.relayName();
    this.tracing = tracing;
    this.listener = listener;
    this.refused = refused;
    this.failed = failed;
    this.thread = new Thread(this::run, "waybill-" + config.name() + "-start");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Stops; returns whether all work was settled within the grace period. */
  boolean stop(Duration grace) {
    stopping.countDown();
    closeListener();
    Relay running = running();
    boolean clean = running == null || running.stop(grace);
    closeRetention();
    return clean;
  }

  private void run() {
    try {
      if (checked()) {
        startRelay();
      }
    } catch (InterruptedException e) {
      LOG.info("outbox {}: interrupted before its relay started", config.name());
    } catch (RuntimeException e) {
      LOG.error("outbox {}: its relay could not start; the process ends", config.name(), e);
      refused.run();
    }
  }

  /** Repeats the checks until the database answers, and what is to be declared is declared. */
  private boolean checked() throws InterruptedException {
    do {
      try {
        List<Finding> findings = new ArrayList<>(StartChecks.declare(config));
        if (findings.stream().noneMatch(OutboxRunner::isWarning)) {
          findings.addAll(StartChecks.of(server, config));
          return passes(findings);
        }
        findings.forEach(finding -> again(finding.detail()));
      } catch (StoreException e) {
        if (!e.isTransient()) {
          throw e;
        }
        again(reason(e));
      }
    } while (!stopping.await(PAUSE_SECONDS, TimeUnit.SECONDS));
    return false;
  }

  private void again(String reason) {
    listener.on(new RelayEvent.Waiting(reason));
    LOG.warn("outbox {}: {}; checked again in {} s", config.name(), reason, PAUSE_SECONDS);
  }

  private static boolean isWarning(Finding finding) {
    return finding.severity() == Finding.Severity.WARN;
  }

  private boolean passes(List<Finding> findings) {
    boolean refuse = false;
    for (Finding finding : findings) {
      if (finding.severity() == Finding.Severity.REFUSE) {
        refuse = true;
        LOG.error("{}; the relay does not start", StartChecks.text(config, finding));
      } else {
        LOG.warn("{}; the relay starts nevertheless", StartChecks.text(config, finding));
      }
    }
    if (refuse) {
      refused.run();
    }
    return !refuse;
  }

  private synchronized void startRelay() {
    if (stopping.getCount() == 0) {
      return;
    }
    Publisher publisher =
        tracing.around(Publishers.of(config, relayName), config.broker().transport());
    OutboxTables tables = Databases.tables(config, relayName);
    Relay started =
        new Relay(
            relayName + "-" + config.name(),
            Rules.settings(config, publisher.deliveryTimeout(), publisher.maxInFlightPerKey()),
            new Stores(tables.lanes(), tables.reader(), tables.store()),
            publisher,
            Rules.of(config),
            listener,
            failure -> failed.run());
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

  private synchronized void closeListener() {
    if (commits != null) {
      commits.close();
    }
  }

  private synchronized void closeRetention() {
    if (retention != null) {
      retention.close();
    }
  }

  private synchronized @Nullable Relay running() {
    return relay;
  }

  private static String reason(StoreException e) {
    Throwable cause = e.getCause();
    return e.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
  }
}
