package io.waybill.server.command;

import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.HasSurroundings;
import io.waybill.server.terminal.Surroundings;
import io.waybill.store.OperatorRequest.Verb;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;

/** The whole command line. */
public final class Commands {
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
    events.addSubcommand("purge", new PurgeCommand());
    HelpExamples.into(line);
    Failures failures = new Failures();
    line.setExecutionExceptionHandler(failures);
    line.setParameterExceptionHandler(failures);
    Help.Ansi ansi = surroundings.draws() ? Help.Ansi.ON : Help.Ansi.OFF;
    line.setColorScheme(Help.defaultColorScheme(ansi));
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
        ConfigCommand.class,
        GenerateCompletion.class
      },
      description = "Carries committed events from an outbox table to Kafka and RabbitMQ.",
      footer = {
        "",
        "Exit codes: 0 done, 1 findings, 2 wrong usage, 3 wrong configuration,",
        "4 database or broker unreachable, 5 start refused, 6 unclean stop,",
        "7 a part of the relay failed, 8 port taken, 70 internal error,",
        "130 ended by Ctrl-C, 143 by SIGTERM."
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
}
