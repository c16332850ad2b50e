package io.waybill.bench;

import io.waybill.bench.compare.Compare;
import io.waybill.bench.report.Report;
import io.waybill.bench.scenario.Scenario;
import io.waybill.bench.stage.Options;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.database.DatabaseKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures Waybill beside its yardsticks: {@code ./bench drain}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures Waybill beside its yardsticks on a real PostgreSQL and broker.",
      "Rates are comparable within one run only.",
      "bench compare measures the rivals too; see bench compare --help."
    })
public final class Bench implements Callable<Integer> {
  @Parameters(
      paramLabel = "SCENARIO",
      description =
          "drain, latency, hotkey, idle, snapshot, backlog, adopted, mariadb, half-peak, keys,"
              + " instances, held, outage, waiting, takeover, isolation, refusals, writers, inbox,"
              + " inbox-failing-key, inbox-restart, bounds, streams, listings, counts or micro")
  private Scenario scenario = Scenario.DRAIN;

  @Option(names = "--broker", description = "kafka (default) or rabbitmq")
  private BrokerKind broker = BrokerKind.KAFKA;

  @Option(
      names = "--database",
      description =
          "takeover, inbox, inbox-failing-key: postgresql (default) or mariadb; takeover: or mysql")
  private DatabaseKind database = DatabaseKind.POSTGRESQL;

  @Option(names = "--json", description = "print one JSON object on the last line")
  private boolean json;

  @Option(
      names = "--events",
      description =
          "events per candidate and round; default 400000 (hotkey 200000, RabbitMQ a quarter), backlog"
              + " 2000000, bounds 2000000, streams 2000000, listings 10000000, writers 120000, inbox 200000, inbox-restart 60000, counts 16000")
  private @Nullable Long events;

  @Option(
      names = "--rounds",
      description = "interleaved rounds; default 3, of streams 5, of long scenarios 1")
  private @Nullable Integer rounds;

  @Option(names = "--keys", description = "number of keys; default 1000, keys 10000, hotkey 1")
  private @Nullable Integer keys;

  @Option(
      names = "--rate",
      description =
          "latency, held: events per second, default 200; inbox-failing-key: 300; outage,"
              + " waiting, isolation: 500; takeover: 2000; refusals, to each destination: 50")
  private @Nullable Integer rate;

  @Option(
      names = "--seconds",
      description =
          "latency, half-peak, held: length of the measurement, default 30; idle: of the idleness,"
              + " 60; outage: of the writing after it, 60; inbox-failing-key, isolation: of each half, 60;"
              + " refusals: of the refusals, 180; takeover: of the calm before each fault, 20")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm",
      description =
          "seconds of writing that do not count: latency, half-peak: default 5; isolation,"
              + " refusals, inbox-failing-key: 60; takeover: 20. At thousands of events a second all processes compile for"
              + " longer than that")
  private @Nullable Integer warm;

  @Option(
      names = "--samples",
      defaultValue = "20",
      description = "idle: first events after a pause; default ${DEFAULT-VALUE}")
  private int samples;

  @Option(
      names = "--pause",
      defaultValue = "5",
      description =
          "idle: seconds before each of them; takeover-rolling: seconds between two replacements;"
              + " default ${DEFAULT-VALUE}")
  private double pause;

  @Option(
      names = "--outage",
      description = "seconds without the broker; outage: default 600, waiting: 240")
  private @Nullable Integer outage;

  @Option(
      names = "--batch",
      defaultValue = "100",
      description = "inbox: most events that a batch handler takes; default ${DEFAULT-VALUE}")
  private int batch;

  @Option(
      names = "--format",
      defaultValue = "raw",
      description = "format of Waybill's messages: raw (default) or envelope")
  private String format = "raw";

  @Option(
      names = "--only",
      split = ",",
      description = "measure these candidates alone; ratios to those left out are missing")
  private List<String> only = List.of();

  @Option(
      names = "--keep",
      description = "listings: a folder that does not exist yet, for the data of the databases")
  private @Nullable Path keep;

  @Spec private CommandSpec spec = CommandSpec.create();

  private Bench() {}

  /**
   * Runs.
   *
   * @param args command line
   */
  public static void main(String[] args) {
    System.exit(execute(args));
  }

  static int execute(String... args) {
    if (args.length > 0 && args[0].equals("compare")) {
      return new CommandLine(new Compare()).execute(Arrays.copyOfRange(args, 1, args.length));
    }
    return new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
  }

  @Override
  public Integer call() {
    if (database == DatabaseKind.MYSQL && scenario != Scenario.TAKEOVER) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--database must be postgresql or mariadb, but is mysql");
    }
    if (keep != null && (scenario != Scenario.LISTINGS || Files.exists(keep))) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--keep must name a folder that does not exist, for listings alone, but is " + keep);
    }
    Report report = scenario.run(options());
    if (json) {
      System.err.println(report.table());
      System.out.println(report.json());
    } else {
      System.out.println(report.table());
    }
    return report.failures().isEmpty() ? 0 : 1;
  }

  private Options options() {
    return new Options(
        broker,
        database,
        events != null ? events : defaultEvents(),
        rounds != null ? rounds : defaultRounds(),
        keys != null ? keys : defaultKeys(),
        rate != null ? rate : defaultRate(),
        seconds != null ? seconds : defaultSeconds(),
        warm != null ? warm : defaultWarm(),
        samples,
        pause,
        outage != null ? outage : defaultOutage(),
        batch,
        format,
        only,
        keep);
  }

  private long defaultEvents() {
    long kafka =
        switch (scenario) {
          case BACKLOG, BOUNDS, STREAMS -> 2_000_000;
          case LISTINGS -> 10_000_000;
          case COUNTS -> 16_000;
          case HOTKEY -> 200_000;
          case WRITERS -> 120_000;
          case INBOX -> 200_000;
          case INBOX_RESTART -> 60_000;
          default -> 400_000;
        };
    boolean asMany =
        scenario == Scenario.BACKLOG || scenario == Scenario.BOUNDS || scenario == Scenario.INBOX;
    return broker == BrokerKind.RABBITMQ && !asMany ? kafka / 4 : kafka;
  }

  private int defaultRounds() {
    return switch (scenario) {
      case STREAMS -> 5;
      default -> scenario.once() ? 1 : 3;
    };
  }

  private int defaultRate() {
    return switch (scenario) {
      case OUTAGE, WAITING, ISOLATION -> 500;
      case INBOX_FAILING_KEY -> 300;
      case TAKEOVER -> 2000;
      case REFUSALS -> 50;
      default -> 200;
    };
  }

  private int defaultOutage() {
    return scenario == Scenario.WAITING ? 240 : 600;
  }

  private int defaultKeys() {
    return switch (scenario) {
      case HOTKEY -> 1;
      case KEYS -> 10_000;
      default -> 1000;
    };
  }

  /** The time before a failure is compared with: nothing of it may be the start of a process. */
  private int defaultWarm() {
    return switch (scenario) {
      case ISOLATION, REFUSALS, INBOX_FAILING_KEY -> 60;
      case TAKEOVER -> 20;
      default -> 5;
    };
  }

  private int defaultSeconds() {
    return switch (scenario) {
      case IDLE, OUTAGE, ISOLATION, INBOX_FAILING_KEY -> 60;
      case REFUSALS -> 180;
      case TAKEOVER -> 20;
      default -> 30;
    };
  }
}
