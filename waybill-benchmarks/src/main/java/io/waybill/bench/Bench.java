package io.waybill.bench;

import io.waybill.bench.wire.BrokerKind;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures Waybill beside its yardsticks: {@code ./bench drain}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures Waybill beside its yardsticks on a real PostgreSQL and broker.",
      "Rates are comparable within one run only."
    })
public final class Bench implements Callable<Integer> {
  @Parameters(
      paramLabel = "SCENARIO",
      description = "drain, latency, hotkey, idle, snapshot, backlog, adopted, mariadb or counts")
  private Scenario scenario = Scenario.DRAIN;

  @Option(names = "--broker", description = "kafka (default) or rabbitmq")
  private BrokerKind broker = BrokerKind.KAFKA;

  @Option(names = "--json", description = "print one JSON object on the last line")
  private boolean json;

  @Option(
      names = "--events",
      description =
          "events per candidate and round; default 400000 (hotkey 200000, RabbitMQ a quarter), backlog"
              + " 2000000")
  private @Nullable Long events;

  @Option(names = "--rounds", description = "interleaved rounds; default 3, backlog and latency 1")
  private @Nullable Integer rounds;

  @Option(names = "--keys", description = "number of keys; default 1000, hotkey 1")
  private @Nullable Integer keys;

  @Option(
      names = "--rate",
      defaultValue = "200",
      description = "latency: events per second; default ${DEFAULT-VALUE}")
  private int rate;

  @Option(
      names = "--seconds",
      description = "latency: length of the measurement, default 30; idle: of the idleness, 60")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm",
      defaultValue = "5",
      description =
          "latency: seconds of writing that do not count; default ${DEFAULT-VALUE}. At thousands"
              + " of events a second all processes compile for longer than that")
  private int warm;

  @Option(
      names = "--samples",
      defaultValue = "20",
      description = "idle: first events after a pause; default ${DEFAULT-VALUE}")
  private int samples;

  @Option(
      names = "--pause",
      defaultValue = "5",
      description = "idle: seconds before each of them; default ${DEFAULT-VALUE}")
  private double pause;

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
    return new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
  }

  @Override
  public Integer call() {
    Report report = scenario.run(options());
    if (json) {
      System.err.println(report.table());
      System.out.println(report.json());
    } else {
      System.out.println(report.table());
    }
    return 0;
  }

  private Options options() {
    return new Options(
        broker,
        events != null ? events : defaultEvents(),
        rounds != null ? rounds : defaultRounds(),
        keys != null ? keys : (scenario == Scenario.HOTKEY ? 1 : 1000),
        rate,
        seconds != null ? seconds : (scenario == Scenario.IDLE ? 60 : 30),
        warm,
        samples,
        pause,
        format,
        only);
  }

  private long defaultEvents() {
    long kafka =
        switch (scenario) {
          case BACKLOG -> 2_000_000;
          case COUNTS -> CountsScenario.EVENTS;
          case HOTKEY -> 200_000;
          default -> 400_000;
        };
    return broker == BrokerKind.RABBITMQ && scenario != Scenario.BACKLOG ? kafka / 4 : kafka;
  }

  private int defaultRounds() {
    return scenario == Scenario.BACKLOG || scenario == Scenario.LATENCY ? 1 : 3;
  }
}
