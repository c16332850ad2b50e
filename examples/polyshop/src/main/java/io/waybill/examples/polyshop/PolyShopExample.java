package io.waybill.examples.polyshop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.trace.OtlpReceiver;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code ./waybill example polyshop}. */
@Command(
    name = "waybill example polyshop",
    description = {
      "Runs PolyShop: a gateway and eight services in Java, Node.js and Python, on a real",
      "PostgreSQL and a real Kafka. Orders go through all of them, each message at least twice and",
      "a poison event among them. Compares the orders with what every service made of them, and",
      "shows the trace of one order. What is not installed of Node.js and Python is unpacked."
    },
    footer = {
      "",
      "Exit codes: 0 everything happened once and each trace is whole; 1 otherwise; 2 wrong usage;",
      "69 a program is missing."
    },
    mixinStandardHelpOptions = true)
public final class PolyShopExample implements Callable<Integer> {
  private static final int MOST = 10_000;
  private static final int MISSING = 69;

  private final PrintStream out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--orders",
      paramLabel = "N",
      description = "Orders to place (default: ${DEFAULT-VALUE}).")
  private int orders = 50;

  @Option(
      names = "--kill",
      description = {
        "Kill each service once, and the gateway and the relay, while orders come, and start it",
        "again. Spans that a killed process had not exported are missing then."
      })
  private boolean kill;

  @Option(
      names = "--otlp",
      paramLabel = "URL",
      description = {
        "Send the spans there instead, for example to Jaeger at http://localhost:4318;",
        "they are not looked at then."
      })
  private @Nullable String otlp;

  PolyShopExample(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs the example.
   *
   * @param args options
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new PolyShopExample(System.out)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (orders < 1 || orders > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--orders must be from 1 to " + MOST + ", but is " + orders);
    }
    try {
      Tools.node();
      Tools.python();
      Tools.installLibraries();
    } catch (MissingToolException e) {
      spec.commandLine().getErr().println("The example " + e.getMessage() + ".");
      return MISSING;
    }
    level(Logger.ROOT_LOGGER_NAME, Level.WARN);
    // A client that asks before the broker is there has nothing to say.
    level("org.apache.kafka", Level.ERROR);
    out.println("starting PostgreSQL and Kafka");
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch();
        OtlpReceiver receiver = OtlpReceiver.start()) {
      String endpoint = otlp == null ? receiver.endpoint() : otlp;
      Result result = new PolyShopRun(postgres, kafka, endpoint, out).run(orders, kill);
      result.lines().forEach(out::println);
      boolean clean = result.clean();
      if (otlp != null) {
        out.println("the spans went to " + otlp + ", trace " + result.traceIds().get(0));
      } else {
        TraceReport report = TraceReport.of(result.traceIds(), receiver.spans());
        clean &= report.print(out) || kill;
      }
      return clean ? 0 : 1;
    }
  }

  private static void level(String logger, Level level) {
    ((Logger) LoggerFactory.getLogger(logger)).setLevel(level);
  }
}
