package io.waybill.bench.compare;

import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.database.DatabaseKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures Waybill beside its yardsticks and its rivals. */
@Command(
    name = "bench compare",
    mixinStandardHelpOptions = true,
    description = {
      "Measures Waybill, its yardsticks and its rivals at the same work, from PostgreSQL to Kafka,",
      "each in its own process with the same heap, in interleaved rounds.",
      "Rates are comparable within one run only. The exit code is 1 if a measurement failed or",
      "Waybill lost, repeated or reordered an event."
    })
public final class Compare implements Callable<Integer> {
  @Option(
      names = "--quick",
      description = "one capped drain and one latency run each, in less than 8 minutes")
  private boolean quick;

  @Option(
      names = "--full",
      description =
          "the default: drains, latency, one hot key and two instances, in at least 3 rounds")
  private boolean full;

  @Option(names = "--json", description = "print one JSON object on the last line")
  private boolean json;

  @Option(names = "--rounds", description = "interleaved rounds; default 3, with --quick 1")
  private @Nullable Integer rounds;

  @Option(
      names = "--events",
      description = "backlog of a drain; default 400000, with --quick 100000; less for slow rivals")
  private @Nullable Long events;

  @Option(
      names = "--cap",
      description = "seconds after which a drain is stopped; default 60, with --quick 8")
  private @Nullable Integer cap;

  @Option(names = "--keys", description = "number of keys; default 1000")
  private @Nullable Integer keys;

  @Option(names = "--seconds", description = "length of a latency run; default 30, with --quick 5")
  private @Nullable Integer seconds;

  @Option(
      names = "--only",
      split = ",",
      description = "measure these candidates alone; ratios to those left out are missing")
  private List<String> only = List.of();

  @Option(
      names = "--report",
      defaultValue = "target/bench/compare.html",
      description = "where the HTML report goes; default ${DEFAULT-VALUE}")
  private Path report = Path.of("target/bench/compare.html");

  @Option(
      names = "--rivals",
      defaultValue = "waybill-benchmarks/rivals",
      hidden = true,
      description = "folder of the rivals' modules")
  private Path modules = Path.of("waybill-benchmarks/rivals");

  /** With the options at their defaults. */
  public Compare() {}

  /** Debezium reads the write-ahead log, which has to be written for that. */
  private static final Map<String, String> DATABASE_SETTINGS = Map.of("wal_level", "logical");

  CompareOptions options() {
    if (quick && full) {
      throw new IllegalArgumentException("--quick and --full exclude each other");
    }
    CompareOptions options = quick ? CompareOptions.QUICK : CompareOptions.FULL;
    options = rounds == null ? options : options.withRounds(rounds);
    options = events == null ? options : options.withEvents(events);
    options = cap == null ? options : options.withCap(cap);
    options = keys == null ? options : options.withKeys(keys);
    options = seconds == null ? options : options.withSeconds(seconds);
    return options.withOnly(only);
  }

  @Override
  public Integer call() throws IOException {
    CompareOptions options = options();
    Rivals rivals = Rivals.in(modules);
    rivals.missing().forEach(one -> Progress.show("left out: " + one.name() + ": " + one.reason()));
    CompareReport result;
    try (Stage stage = Stage.launch(BrokerKind.KAFKA, DATABASE_SETTINGS)) {
      Comparison comparison = new Comparison(stage, options, rivals.found());
      comparison.run();
      String database = stage.databaseVersion(DatabaseKind.POSTGRESQL);
      result =
          CompareReport.of(
              database, comparison, rivals, versions(database, rivals), Machine.here());
    }
    write(result);
    (json ? System.err : System.out).println(result.table());
    (json ? System.err : System.out).println("Report: " + report.toAbsolutePath());
    if (json) {
      System.out.println(result.json());
    }
    return result.isSound() ? 0 : 1;
  }

  private void write(CompareReport result) throws IOException {
    Path folder = report.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(report, HtmlReport.of(result));
  }

  private static Map<String, String> versions(String database, Rivals rivals) {
    Map<String, String> all = new TreeMap<>();
    String own = System.getProperty("java.class.path", "");
    all.put("database", database);
    all.put("kafka-clients", Rivals.version(own, "kafka-clients"));
    all.put("kafka (broker)", Rivals.version(own, "kafka_2.13"));
    all.put("postgresql (driver)", Rivals.version(own, "postgresql"));
    all.put("waybill", System.getProperty("bench.commit", "unknown"));
    for (Rival rival : rivals.found()) {
      all.put(rival.kind().label(), rival.version());
    }
    return all;
  }
}
