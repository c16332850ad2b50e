package io.waybill.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.server.log.Logs;
import io.waybill.server.terminal.CommandContext;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code demo}. Exit code 0 only if nothing was lost, invented or reordered. */
@Command(
    name = "demo",
    description = {
      "Runs an order service, two relays and a consumer on a real PostgreSQL and a real broker, and",
      "compares in the end what was committed with what arrived. On the way a relay and the broker",
      "are killed: by you, on a page whose address it prints and beside the console, or by a script."
    },
    footer = {
      "",
      "Exit codes: 0 nothing lost, invented or out of order; 1 otherwise; 2 wrong usage;",
      "4 a server or a process failed."
    },
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  private static final int MOST_EVENTS = 5_000_000;
  private static final int HIGHEST_RATE = 100_000;
  private static final int TIME_TO_OPEN = 30;
  private static final int LONGEST_WAIT = 3_600;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--broker",
      paramLabel = "kafka|rabbitmq",
      converter = BrokerKind.Converter.class,
      description = "Where events go (default: kafka).")
  private BrokerKind broker = BrokerKind.KAFKA;

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Events to commit by the script (default: 20000).")
  private int events = 20_000;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "Events per second (default: 2000 by the script, 200 if you open the page).")
  private @Nullable Integer rate;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description =
          "How long you may take to open the page before the script begins"
              + " (default: 30 in a terminal, else 0).")
  private @Nullable Integer wait;

  @Option(
      names = "--keep",
      description =
          "Leave everything running in the end, until Ctrl-C, and say how to look around.")
  private boolean keep;

  @Option(names = "--json", description = "Print the result as a JSON object on the last line.")
  private boolean json;

  /** For the command line. */
  public DemoCommand() {}

  @Override
  public Integer call() throws Exception {
    check("--events", events, 1, MOST_EVENTS);
    if (rate != null) {
      check("--rate", rate, 1, HIGHEST_RATE);
    }
    int seconds = wait == null ? usualWait() : wait;
    check("--wait", seconds, 0, LONGEST_WAIT);
    Logs.quiet();
    // Clients of a broker that is killed on purpose have nothing to say.
    ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.ERROR);
    DemoOptions options =
        new DemoOptions(broker, events, rate, Duration.ofSeconds(seconds), keep, json);
    return run(options).reconciliation().clean() ? 0 : 1;
  }

  /** Without a terminal nobody is asked to open anything. */
  private int usualWait() {
    return !json && CommandContext.ofProcess().terminal() ? TIME_TO_OPEN : 0;
  }

  /** A server that does not start or a process that dies ends the demo with a plain sentence. */
  private static DemoResult run(DemoOptions options) throws Exception {
    try {
      return new Demo(options, new Screen(System.out)).run();
    } catch (CompletionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (IllegalStateException e) {
      throw failure(e);
    }
  }

  private static CommandFailure failure(Throwable cause) {
    return new CommandFailure(ExitCode.UNREACHABLE, "The demo cannot go on: " + cause.getMessage());
  }

  private void check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(),
          "%s must be from %d to %d, but is %d".formatted(option, least, most, value));
    }
  }
}
