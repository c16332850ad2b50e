package io.waybill.examples.notification;

import io.waybill.database.DatabaseKind;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code ./waybill example notification}. */
@Command(
    name = "waybill example notification",
    description = {
      "Makes reservations on a real database, carries their events through a real RabbitMQ to the",
      "queues of restaurants, customers, agencies and admins, and compares what arrived with the",
      "reservations that were committed."
    },
    footer = {
      "",
      "Exit codes: 0 every event arrived once in its queue; 1 otherwise; 2 wrong usage."
    },
    mixinStandardHelpOptions = true)
public final class NotificationExample implements Callable<Integer> {
  private static final int MOST_RESERVATIONS = 100_000;

  enum Database {
    postgresql,
    mariadb
  }

  private final PrintStream out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--database",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Database database = Database.postgresql;

  @Option(
      names = "--reservations",
      paramLabel = "N",
      description = "Reservations to try (default: ${DEFAULT-VALUE}).")
  private int reservations = 20;

  @Option(names = "--json", description = "Print the result as a JSON object on the last line.")
  private boolean json;

  NotificationExample(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs the example.
   *
   * @param args options
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new NotificationExample(System.out)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (reservations < 1 || reservations > MOST_RESERVATIONS) {
      throw new ParameterException(
          spec.commandLine(),
          "--reservations must be from 1 to " + MOST_RESERVATIONS + ", but is " + reservations);
    }
    DatabaseKind kind =
        database == Database.postgresql ? DatabaseKind.POSTGRESQL : DatabaseKind.MARIADB;
    out.println("starting " + database + " and RabbitMQ");
    try (Servers servers = Servers.launch(kind)) {
      Result result = new NotificationRun(servers, out).run(reservations);
      out.println(result.text());
      if (json) {
        out.println(result.json());
      }
      return result.clean() ? 0 : 1;
    }
  }
}
