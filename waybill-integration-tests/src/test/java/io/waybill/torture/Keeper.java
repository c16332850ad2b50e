package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Keeps what a failed run leaves: histories, logs, the schedule and the servers' data. */
final class Keeper {
  /**
   * What was planned, what happened, and what it came to.
   *
   * @param evidence lines of further files by their names
   */
  record History(
      FaultPlan plan, FaultLog faults, Outcome outcome, Map<String, Stream<String>> evidence) {}

  /** What is told of the servers. */
  record Servers(Network network, TortureBroker broker, TortureDatabase database) {}

  private Keeper() {}

  static Path keep(TortureOptions options, Servers servers, Path processes, History history)
      throws IOException, InterruptedException {
    String time =
        LocalDateTime.now(ZoneOffset.UTC)
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
    Path folder =
        options.keep().resolve(options.pair().label() + "-" + options.seed() + "-" + time);
    Files.createDirectories(folder);
    write(folder, "findings.txt", history.outcome().findings().stream());
    write(folder, "outcome.json", Stream.of(history.outcome().json()));
    write(folder, "faults.txt", history.faults().all().stream().map(Object::toString));
    write(
        folder,
        "plan.txt",
        history.plan().epochs().stream()
            .flatMap(
                epoch ->
                    Stream.concat(
                        Stream.of("epoch of " + epoch.length()),
                        epoch.entries().stream().map(Object::toString))));
    for (Map.Entry<String, Stream<String>> file : history.evidence().entrySet()) {
      write(folder, file.getKey(), file.getValue());
    }
    write(folder, "proxies.txt", servers.network().history());
    copy(processes, folder.resolve("processes"));
    servers.broker().kill();
    servers.database().server().kill();
    copy(servers.broker().folder(), folder.resolve("broker"));
    Path database = servers.database().server().log().getParent();
    if (database != null) {
      copy(database, folder.resolve("database"));
    }
    return folder;
  }

  static Map<String, Stream<String>> of(Evidence evidence) {
    return Map.of(
        "ledger.csv", evidence.ledger().stream().map(Keeper::line),
        "delivered.csv", evidence.delivered().stream().map(Keeper::line));
  }

  static Map<String, Stream<String>> of(Effects effects) {
    return Map.of(
        "published.txt", effects.published().stream().map(Object::toString),
        "applied.txt", effects.applied().stream(),
        "letters.txt", effects.letters().stream());
  }

  private static String line(Copy copy) {
    return String.join(
        ",",
        List.of(
            copy.eventId(),
            copy.key(),
            Long.toString(copy.sequence()),
            copy.sha256(),
            Long.toString(copy.atMillis())));
  }

  private static void write(Path folder, String name, Stream<String> lines) throws IOException {
    Files.write(folder.resolve(name), lines.toList());
  }

  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    new ProcessBuilder("cp", "-a", from.toString(), to.toString()).inheritIO().start().waitFor();
  }
}
