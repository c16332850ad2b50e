package io.waybill.examples.services;

import io.waybill.proof.Interrupts;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program {@code ./waybill example services}. */
@Command(
    name = "services",
    description = "Services with Spring Boot, on a PostgreSQL and a broker of their own.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "wallet | notification")
public final class ServicesExample {
  private ServicesExample() {}

  /**
   * Runs the example.
   *
   * @param args which service, and options
   */
  public static void main(String[] args) {
    Interrupts interrupts = new Interrupts();
    interrupts.listen();
    System.exit(commandLine(System.out, interrupts).execute(args));
  }

  static CommandLine commandLine(PrintStream out, Interrupts interrupts) {
    return new CommandLine(new ServicesExample())
        .addSubcommand(new WalletCommand(out, interrupts))
        .addSubcommand(new NotificationCommand(out, interrupts));
  }
}
