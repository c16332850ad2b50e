package io.waybill.server.command;

import io.waybill.internal.start.Supervisor;
import io.waybill.server.relay.RelayProcess;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Signals;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.properties.WaybillProperties;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the relay until it is stopped. */
@Command(
    name = "relay",
    description = {
      "Run a relay for every configured outbox until SIGTERM or Ctrl-C.",
      "It then stops gracefully within the grace period; a second signal ends it immediately."
    })
class RelayCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RelayCommand.class);

  @Mixin private ConfigOptions options = new ConfigOptions();

  private static final String RELAY = "waybill.relay.enabled";

  // By their variables.
  private final Map<String, String> keys;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final AtomicInteger signals = new AtomicInteger();
  private volatile boolean begun;
  private volatile int ending = ExitCode.OK;

  RelayCommand() {
    this(Map.of());
  }

  private RelayCommand(Map<String, String> keys) {
    this.keys = keys;
  }

  /** The same process without a relay. */
  @Command(
      name = "api",
      description = {
        "Serve the API for operators of every configured outbox until SIGTERM or Ctrl-C, without a relay.",
        "A relay serves it, too, where waybill.api.enabled is true."
      })
  static final class Api extends RelayCommand {
    Api() {
      super(Map.of("WAYBILL_API_ENABLED", "true", "WAYBILL_RELAY_ENABLED", "false"));
    }
  }

  /** The same process without a relay, for browsers. */
  @Command(
      name = "console",
      description = {
        "Serve console and API of every configured outbox until SIGTERM or Ctrl-C, without a relay.",
        "A relay serves both, too, where waybill.api.enabled is true."
      })
  static final class Console extends RelayCommand {
    Console() {
      super(
          Map.of(
              "WAYBILL_API_ENABLED",
              "true",
              "WAYBILL_CONSOLE_ENABLED",
              "true",
              "WAYBILL_RELAY_ENABLED",
              "false"));
    }
  }

  @Override
  public Integer call() {
    LoadedConfig<WaybillProperties> loaded = options.loadAloud(keys).loaded();
    if (keys.isEmpty() && !loaded.get().relay().enabled()) {
      loaded.problem(RELAY, "must be true for a relay; waybill api serves the API without one");
      throw loaded.refused();
    }
    Signals.handle(this::signalled);
    RelayProcess process = RelayProcess.start(loaded, () -> begun = true, this::gaveUp);
    loaded.warnings().forEach(warning -> LOG.warn("{}; the start goes on nevertheless", warning));
    try {
      stop.await();
    } catch (InterruptedException e) {
      LOG.info("interrupted");
    }
    LOG.info("stopping within {} s", loaded.get().relay().gracePeriod().toSeconds());
    boolean clean = process.stop();
    if (ending != ExitCode.OK) {
      return ending;
    }
    return clean ? ExitCode.OK : ExitCode.UNCLEAN_STOP;
  }

  private void gaveUp(Throwable cause) {
    if (cause instanceof VirtualMachineError) {
      // Nothing that it still has to do can be relied on, its own end included.
      try {
        LOG.error("the process ends immediately; events in flight will be published again");
      } finally {
        Runtime.getRuntime().halt(ExitCode.FAILED);
      }
    }
    ending = isRefusal(cause) ? ExitCode.REFUSED : ExitCode.FAILED;
    stop.countDown();
  }

  private static boolean isRefusal(Throwable cause) {
    return cause instanceof Supervisor.Refused || cause instanceof IllegalArgumentException;
  }

  private void signalled() {
    if (!begun) {
      LOG.info("stopped before a relay began");
      Runtime.getRuntime().halt(ExitCode.OK);
    }
    if (signals.incrementAndGet() > 1) {
      LOG.warn("second signal: ending immediately; events in flight will be published again");
      Runtime.getRuntime().halt(ExitCode.UNCLEAN_STOP);
    }
    stop.countDown();
  }
}
