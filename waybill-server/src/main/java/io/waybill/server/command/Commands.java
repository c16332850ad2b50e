package io.waybill.server.command;

import io.waybill.broker.DeadLetterAccessException;
import io.waybill.server.config.ConfigException;
import io.waybill.server.config.Printable;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.StoreException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The whole command line. */
public final class Commands {
  private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

  private Commands() {}

  /**
   * Runs one command.
   *
   * @param surroundings environment and user
   * @param out where its output goes
   * @param err where errors go
   * @param arguments the command and its options
   * @return one of {@link ExitCode}
   */
  public static int run(
      Surroundings surroundings, PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine(surroundings).setOut(out).setErr(err).execute(arguments);
  }

  static CommandLine commandLine(Surroundings surroundings) {
    CommandLine line = new CommandLine(new Root(surroundings));
    line.addSubcommand("demo", demo());
    CommandLine events = Objects.requireNonNull(line.getSubcommands().get("events"));
    for (Verb verb : Verb.values()) {
      CommandLine change = new CommandLine(new ChangeCommand(verb));
      change.getCommandSpec().usageMessage().description(ChangeCommand.description(verb));
      events.addSubcommand(verb.name().toLowerCase(Locale.ROOT), change);
    }
    line.setExecutionExceptionHandler(Commands::failed);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setAbbreviatedOptionsAllowed(false);
    return line;
  }

  @Command(
      name = "waybill",
      mixinStandardHelpOptions = true,
      scope = CommandLine.ScopeType.INHERIT,
      versionProvider = Version.class,
      synopsisSubcommandLabel = "COMMAND",
      subcommands = {
        RelayCommand.class,
        SchemaCommand.class,
        StatusCommand.class,
        EventsCommand.class,
        DestinationsCommand.class,
        AuditCommand.class,
        DltCommand.class,
        DoctorCommand.class,
        ConfigCommand.class
      },
      description = "Carries committed events from an outbox table to Kafka and RabbitMQ.",
      footer = {
        "",
        "Exit codes: 0 done, 1 findings, 2 wrong usage, 3 wrong configuration,",
        "4 database or broker unreachable, 5 start refused, 6 unclean stop,",
        "7 a part of the relay failed, 70 internal error."
      })
  private static final class Root extends Group implements HasSurroundings {
    private final Surroundings surroundings;

    Root(Surroundings surroundings) {
      this.surroundings = surroundings;
    }

    @Override
    public Surroundings surroundings() {
      return surroundings;
    }
  }

  /** The demo is a module of its own, which this one must not depend on. */
  private static Object demo() {
    try {
      return Class.forName("io.waybill.demo.DemoCommand").getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      return new NoDemo();
    }
  }

  @Command(description = "Show a relay at work; ./waybill demo starts it.")
  private static final class NoDemo implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new CommandFailure(
          ExitCode.USAGE, "The demo is not in this jar: start it with ./waybill demo");
    }
  }

  private static int failed(Exception e, CommandLine line, ParseResult result) {
    PrintWriter err = line.getErr();
    if (e instanceof ConfigException) {
      err.println(e.getMessage());
      return ExitCode.CONFIG;
    }
    if (e instanceof CommandFailure failure) {
      err.println(failure.getMessage());
      return failure.exitCode();
    }
    if (e instanceof StoreException store) {
      err.println(Printable.of(store.getMessage() + cause(store)));
      return store.isTransient() ? ExitCode.UNREACHABLE : ExitCode.FINDINGS;
    }
    if (e instanceof DeadLetterAccessException) {
      err.println(Printable.of(String.valueOf(e.getMessage())));
      return ExitCode.UNREACHABLE;
    }
    LOG.error("The command failed; this should not happen", e);
    return ExitCode.INTERNAL;
  }

  private static String cause(Throwable e) {
    return e.getCause() == null ? "" : ": " + e.getCause().getMessage();
  }
}
