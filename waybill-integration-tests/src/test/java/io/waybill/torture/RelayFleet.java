package io.waybill.torture;

import io.waybill.it.RelayProcess;
import io.waybill.proof.BuiltRelay;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.torture.planted.FailingRelay;
import io.waybill.torture.planted.PlantedBug;
import io.waybill.torture.planted.PlantedRelay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The relays of a run, whose calls fail when they are to. Thread-safe. */
final class RelayFleet {
  private static final List<String> FAILING = BuiltRelay.start(FailingRelay.class.getName());

  private final ProcessGuard guard;
  private final Path folder;
  private final Stage stage;
  private final List<String> build;

  RelayFleet(ProcessGuard guard, Path folder, Stage stage, @Nullable PlantedBug bug) {
    this.guard = guard;
    this.folder = folder;
    this.stage = stage;
    this.build = bug == null ? FAILING : planted(bug);
  }

  private static List<String> planted(PlantedBug bug) {
    String classes = System.getProperty("java.class.path");
    return List.of("-cp", classes, PlantedRelay.class.getName(), bug.name());
  }

  RelayProcess start(int relay, String name) {
    Map<String, String> all = new TreeMap<>();
    all.put("TORTURE_PASSWORD", stage.secret());
    all.putAll(stage.clocks().environment(name));
    all.put(FailingRelay.FILE, failure(name).toString());
    return RelayProcess.start(build, guard, folder, name, stage.relayConfiguration(relay), all);
  }

  /**
   * Lets the next call of one of its threads fail.
   *
   * @param error with an error, which ends the relay, else with an exception
   */
  void fail(int relay, boolean error) {
    try {
      Files.writeString(failure(Role.RELAY.name(relay)), error ? "error" : "exception");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes back what has not happened yet; false if there was something. */
  boolean failNoMore(int relay) {
    try {
      return !Files.deleteIfExists(failure(Role.RELAY.name(relay)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path failure(String name) {
    return folder.resolve(name + ".failure");
  }
}
