package io.waybill.examples.polyglot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.trace.OtlpReceiver;
import io.waybill.server.log.Logs;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code ./waybill example polyglot flow}. */
@Command(
    name = "flow",
    description = {
      "Orders go from a service in Java to consumers in Java, Node.js and Python, each message at",
      "least twice and a poison event among them. Compares the orders with what every service made",
      "of them, and shows the trace of one order."
    },
    footer = {
      "",
      "Exit codes: 0 everything happened once and each trace is whole; 1 otherwise; 2 wrong usage;",
      "69 a program is missing."
    },
    mixinStandardHelpOptions = true)
final class FlowExample implements Callable<Integer> {
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
      names = "--otlp",
      paramLabel = "URL",
      description = {
        "Send the spans there instead, for example to Jaeger at http://localhost:4318;",
        "they are not looked at then."
      })
  private @Nullable String otlp;

  /** For picocli. */
  FlowExample() {
    this(System.out);
  }

  FlowExample(PrintStream out) {
    this.out = out;
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
    Logs.quiet();
    // A client that asks before the broker is there has nothing to say.
    ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.ERROR);
    out.println("starting PostgreSQL and Kafka");
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch();
        OtlpReceiver receiver = OtlpReceiver.start()) {
      String endpoint = otlp == null ? receiver.endpoint() : otlp;
      FlowResult result = new FlowRun(postgres, kafka, endpoint, out).run(orders);
      result.lines().forEach(out::println);
      if (otlp != null) {
        out.println("the spans went to " + otlp + ", trace " + result.traceIds().get(0));
        return result.clean() ? 0 : 1;
      }
      return TraceReport.of(result.traceIds(), receiver.spans()).print(out) && result.clean()
          ? 0
          : 1;
    }
  }
}
