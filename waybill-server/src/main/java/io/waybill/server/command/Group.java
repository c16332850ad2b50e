package io.waybill.server.command;

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
            + String.join(", ", spec.subcommands().keySet()));
  }
}
