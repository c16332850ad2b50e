package io.waybill.examples.wallet;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.Interrupts;
import io.waybill.store.Polling;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code ./waybill example wallet}. */
@Command(
    name = "waybill example wallet",
    description = {
      "Uses wallets on a real database, sends their outbox to a real Kafka, and compares the",
      "committed operations with what a consumer received."
    },
    footer = {
      "",
      "Exit codes: 0 nothing lost, invented or out of order; 1 otherwise; 2 wrong usage."
    },
    mixinStandardHelpOptions = true)
public final class WalletExample implements Callable<Integer> {
  private static final int MOST_OPERATIONS = 100_000;

  enum Database {
    postgresql,
    mariadb
  }

  enum Schedule {
    fixed,
    adaptive
  }

  private final PrintStream out;
  private final Interrupts interrupts;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--database",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Database database = Database.postgresql;

  @Option(
      names = "--schedule",
      description =
          "fixed: a look every 5 s, as documented; adaptive: at once while there is something"
              + " (default: ${DEFAULT-VALUE}).")
  private Schedule schedule = Schedule.fixed;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Operations to try (default: ${DEFAULT-VALUE}).")
  private int operations = 2_000;

  WalletExample(PrintStream out, Interrupts interrupts) {
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
    System.exit(new CommandLine(new WalletExample(System.out, interrupts)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (operations < 1 || operations > MOST_OPERATIONS) {
      throw new ParameterException(
          spec.commandLine(),
          "--operations must be from 1 to " + MOST_OPERATIONS + ", but is " + operations);
    }
    DatabaseKind kind =
        database == Database.postgresql ? DatabaseKind.POSTGRESQL : DatabaseKind.MARIADB;
    Polling polling =
        schedule == Schedule.fixed ? WalletRelay.EVERY_FIVE_SECONDS : Polling.adaptive();
    out.println("starting " + database + " and Kafka");
    try (Servers servers = Servers.launch(kind)) {
      return new WalletRun(servers, polling, out, interrupts).run(operations).clean() ? 0 : 1;
    }
  }
}
