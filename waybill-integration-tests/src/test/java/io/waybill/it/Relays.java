package io.waybill.it;

import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Relays of one test, in processes of their own, which end with it. */
final class Relays implements AutoCloseable {
  private static final Map<String, String> ENVIRONMENT = Map.of("RABBIT_TEST_PASSWORD", "guest");
  private static final int SHOWN_LOG = 4000;

  private final List<RelayProcess> all = new ArrayList<>();
  private final Path folder;
  private final ProcessGuard guard;

  Relays() {
    try {
      this.folder = Files.createTempDirectory("waybill-it");
      this.guard = new ProcessGuard(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RelayProcess start(String name, String configuration) {
    return start(RelayProcess.THIS_BUILD, name, configuration);
  }

  RelayProcess start(List<String> build, String name, String configuration) {
    return start(build, name, configuration, Map.of());
  }

  /** With more variables of its environment. */
  RelayProcess start(
      List<String> build, String name, String configuration, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(ENVIRONMENT);
    environment.putAll(more);
    RelayProcess relay = RelayProcess.start(build, guard, folder, name, configuration, environment);
    all.add(relay);
    return relay;
  }

  /** Fails at once when a relay has ended by itself, instead of waiting for what cannot come. */
  void check() {
    for (RelayProcess relay : all) {
      if (relay.endedByItself()) {
        throw new IllegalStateException("a relay ended by itself: " + logs());
      }
    }
  }

  /** The end of each relay's log, for the message of a failing test. */
  String logs() {
    StringBuilder text = new StringBuilder();
    for (RelayProcess relay : all) {
      String log = relay.log();
      text.append("\n--- relay, alive ").append(relay.isAlive()).append('\n');
      text.append(log.substring(Math.max(0, log.length() - SHOWN_LOG)));
    }
    return text.toString();
  }

  @Override
  public void close() {
    all.forEach(RelayProcess::close);
    guard.close();
  }
}
