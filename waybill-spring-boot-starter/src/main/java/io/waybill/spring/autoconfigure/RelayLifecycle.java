package io.waybill.spring.autoconfigure;

import io.waybill.observe.OutboxHealth;
import io.waybill.spring.WakeUp;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * The relay in the application's life cycle: it begins when the application is ready, so that no
 * start waits for a broker, and its stop comes first. Thread-safe.
 */
public final class RelayLifecycle
    implements SmartLifecycle, ApplicationListener<ApplicationReadyEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(RelayLifecycle.class);

  private final RelayParts parts;
  private final WakeUp wakeUp;
  private final OutboxHealth health;
  private boolean ready;
  private boolean running;
  private @Nullable RelayRun run;

  RelayLifecycle(RelayParts parts, WakeUp wakeUp, OutboxHealth health) {
    this.parts = parts;
    this.wakeUp = wakeUp;
    this.health = health;
  }

  /**
   * Name of the relay.
   *
   * @return as in tables, logs and threads
   */
  public String name() {
    return parts.name();
  }

  /**
   * Why the relay makes no progress.
   *
   * @return reasons, empty if it does
   */
  public synchronized List<String> unready() {
    String refusal = run == null ? null : run.refusal();
    return refusal == null ? health.unready() : List.of(refusal);
  }

  @Override
  public synchronized void start() {
    running = true;
    begin();
  }

  @Override
  public synchronized void onApplicationEvent(ApplicationReadyEvent event) {
    ready = true;
    begin();
  }

  private void begin() {
    if (running && ready && run == null) {
      RelayRun fresh = new RelayRun(parts, wakeUp);
      run = fresh;
      fresh.start();
    }
  }

  @Override
  public void stop() {
    RelayRun ending = end();
    if (ending != null && !ending.stop(parts.properties().relay().gracePeriod())) {
      LOG.warn("The relay was stopped with work in flight; its next owner publishes that again");
    }
  }

  /** Without holding up others of its phase. */
  @Override
  public void stop(Runnable callback) {
    Thread thread =
        new Thread(
            () -> {
              try {
                stop();
              } finally {
                callback.run();
              }
            },
            "waybill-" + parts.name() + "-stop");
    thread.start();
  }

  private synchronized @Nullable RelayRun end() {
    running = false;
    RelayRun ending = run;
    run = null;
    return ending;
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return parts.properties().relay().phase();
  }
}
