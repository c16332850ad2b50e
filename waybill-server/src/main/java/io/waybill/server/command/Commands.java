package io.waybill.server.command;

import io.waybill.server.terminal.CommandContext;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.HasContext;
import io.waybill.server.terminal.Version;
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
   * @param context environment and user
   * @param out where its output goes
   * @param err where errors go
   * @param arguments the command and its options
   * @return one of {@link ExitCode}
   */
  public static int run(
      CommandContext context, PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine(context).setOut(out).setErr(err).execute(arguments);
  }

  static CommandLine commandLine(CommandContext context) {
    CommandLine line = new CommandLine(new Root(context));
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
    Help.Ansi ansi = context.draws() ? Help.Ansi.ON : Help.Ansi.OFF;
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
        RelayCommand.Api.class,
        RelayCommand.Console.class,
        UsersCommand.class,
        SchemaCommand.class,
        StatusCommand.class,
        StatusCommand.History.class,
        StorageCommand.class,
        EventsCommand.class,
        FailuresCommand.class,
        JobsCommand.class,
        KeysCommand.class,
        DestinationsCommand.class,
        RelaysCommand.class,
        AuditCommand.class,
        ConsumersCommand.class,
        DeadLettersCommand.class,
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
  private static final class Root extends Group implements HasContext {
    private final CommandContext context;

    Root(CommandContext context) {
      this.context = context;
    }

    @Override
    public CommandContext context() {
      return context;
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
