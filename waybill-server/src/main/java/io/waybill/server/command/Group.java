package io.waybill.server.command;

import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has commands below it. */
abstract class Group implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  CommandSpec spec() {
    return spec;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say which command of "
            + spec.qualifiedName()
            + ": "
            + spec.subcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .collect(Collectors.joining(", ")));
  }
}
