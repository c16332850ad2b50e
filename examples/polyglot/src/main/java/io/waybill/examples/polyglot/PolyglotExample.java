package io.waybill.examples.polyglot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.proof.Interrupts;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.log.Logs;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code ./waybill example polyglot}. */
@Command(
    name = "waybill example polyglot",
    description = {
      "Runs a payment service in Node.js and a notification service in Python, which only insert",
      "events into PostgreSQL, and the standalone relay, which publishes them to a real Kafka.",
      "Compares the committed payments and emails with what a consumer received.",
      "Node.js, npm, psycopg and confluent_kafka are unpacked if they are not installed."
    },
    subcommands = FlowExample.class,
    footer = {
      "",
      "Exit codes: 0 nothing lost or invented; 1 otherwise; 2 wrong usage; 69 a program is missing."
    },
    mixinStandardHelpOptions = true)
public final class PolyglotExample implements Callable<Integer> {
  private static final int MOST = 100_000;
  private static final int PARTITIONS = 4;
  private static final int MISSING = 69;

  private final PrintStream out;
  private final Interrupts interrupts;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--payments",
      paramLabel = "N",
      description = "Payments to make (default: ${DEFAULT-VALUE}).")
  private int payments = 500;

  @Option(
      names = "--emails",
      paramLabel = "N",
      description = "Emails to send (default: ${DEFAULT-VALUE}).")
  private int emails = 500;

  PolyglotExample(PrintStream out, Interrupts interrupts) {
    this.out = out;
    this.interrupts = interrupts;
  }

  /**
   * Runs the example.
   *
   * @param args options
   */
  public static void main(String[] args) {
    Interrupts interrupts = new Interrupts();
    interrupts.listen();
    System.exit(new CommandLine(new PolyglotExample(System.out, interrupts)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    check("--payments", payments);
    check("--emails", emails);
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
        KafkaServer kafka = KafkaServer.launch()) {
      for (Service service : Service.values()) {
        service.createDatabase(postgres);
        kafka.createTopic(service.topic(), PARTITIONS, Map.of());
      }
      out.println("starting the relay, the payment service and the notification service");
      return new PolyglotRun(postgres, kafka, out, interrupts).run(payments, emails) ? 0 : 1;
    }
  }

  private void check(String option, int value) {
    if (value < 1 || value > MOST) {
      throw new ParameterException(
          spec.commandLine(), option + " must be from 1 to " + MOST + ", but is " + value);
    }
  }
}
