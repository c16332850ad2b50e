package io.waybill.torture;

import io.waybill.it.RelayProcess;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.torture.planted.ConsumerBug;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How consumers are started: in the version of the handlers that is deployed. Thread-safe. */
final class ConsumerFleet {
  private final ProcessGuard guard;
  private final Path folder;
  private final ConsumerStage stage;
  private final ConsumerBug bug;
  private int version = 1;

  ConsumerFleet(ProcessGuard guard, Path folder, ConsumerStage stage, ConsumerBug bug) {
    this.guard = guard;
    this.folder = folder;
    this.stage = stage;
    this.bug = bug;
  }

  synchronized int version() {
    return version;
  }

  /** What is started from now on handles what the version before could not. */
  synchronized void deploy() {
    version++;
  }

  RelayProcess start(int consumer, String name) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=consumer-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                TortureConsumer.class.getName()));
    command.addAll(stage.arguments(consumer));
    command.add(Integer.toString(version()));
    command.add(bug.name());
    return RelayProcess.of(
        guard, folder, name, Map.of(TortureConsumer.PASSWORD, stage.secret()), command);
  }
}
