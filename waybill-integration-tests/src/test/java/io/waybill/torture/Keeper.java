package io.waybill.torture;

import io.waybill.testkit.oracle.Copy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Keeps what a failed run leaves: histories, logs, the schedule and the servers' data. */
final class Keeper {
  /** What was planned, what happened, and what it came to. */
  record History(FaultPlan plan, FaultLog faults, Evidence evidence, Outcome outcome) {}

  private Keeper() {}

  static Path keep(TortureOptions options, Stage stage, Path relays, History history)
      throws IOException, InterruptedException {
    String time =
        LocalDateTime.now(ZoneOffset.UTC)
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
    Path folder =
        options.keep().resolve(options.pair().label() + "-" + options.seed() + "-" + time);
    Files.createDirectories(folder);
    Evidence evidence = history.evidence();
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
    write(folder, "ledger.csv", evidence.ledger().stream().map(Keeper::line));
    write(folder, "delivered.csv", evidence.delivered().stream().map(Keeper::line));
    write(folder, "proxies.txt", stage.network().history());
    copy(relays, folder.resolve("relays"));
    stage.broker().kill();
    stage.database().kill();
    copy(stage.broker().folder(), folder.resolve("broker"));
    Path database = stage.database().log().getParent();
    if (database != null) {
      copy(database, folder.resolve("database"));
    }
    return folder;
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
