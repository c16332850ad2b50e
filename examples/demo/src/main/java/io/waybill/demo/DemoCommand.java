package io.waybill.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.server.log.Logs;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
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
      "Runs an order service, two relays and a consumer on a real PostgreSQL and a real broker,",
      "kills a relay and the broker on the way, and compares what was committed with what arrived."
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

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--broker",
      paramLabel = "kafka|rabbitmq",
      converter = BrokerKind.Converter.class,
      description = "Where events go (default: kafka).")
  private BrokerKind broker = BrokerKind.KAFKA;

  @Option(names = "--events", paramLabel = "N", description = "Events to commit (default: 20000).")
  private int events = 20_000;

  @Option(names = "--rate", paramLabel = "R", description = "Events per second (default: 2000).")
  private int rate = 2_000;

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
    check("--events", events, MOST_EVENTS);
    check("--rate", rate, HIGHEST_RATE);
    Logs.quiet();
    // Clients of a broker that is killed on purpose have nothing to say.
    ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.ERROR);
    DemoOptions options = new DemoOptions(broker, events, rate, keep, json);
    return run(options).reconciliation().clean() ? 0 : 1;
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

  private void check(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + " must be from 1 to " + most + ", but is " + value);
    }
  }
}
