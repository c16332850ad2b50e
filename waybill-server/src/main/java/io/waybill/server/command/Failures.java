package io.waybill.server.command;

import io.waybill.broker.DeadLetterAccessException;
import io.waybill.server.relay.PortTakenException;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.config.Closest;
import io.waybill.spring.internal.config.ConfigException;
import io.waybill.spring.internal.config.Printable;
import io.waybill.spring.internal.config.Problem;
import io.waybill.spring.internal.destination.DestinationNameException;
import io.waybill.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells why a command did not do it: people by a sentence on standard error, programs that asked
 * for JSON also by an object on standard output.
 */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult result) {
    CommandFailure failure = failure(e);
    line.getErr().println(failure.getMessage());
    List<Problem> problems =
        e instanceof ConfigException config ? config.problems() : List.<Problem>of();
    json(line, result.originalArgs(), failure, problems);
    return failure.exitCode();
  }

  private static CommandFailure failure(Exception e) {
    if (e instanceof CommandFailure failure) {
      return failure;
    }
    if (e instanceof WaybillStartException refused) {
      return new CommandFailure(ExitCode.CONFIG, String.valueOf(refused.getMessage()));
    }
    if (e instanceof StoreException store) {
      return DatabaseFailure.of(store);
    }
    if (e instanceof PortTakenException) {
      return new CommandFailure(ExitCode.PORT_TAKEN, String.valueOf(e.getMessage()));
    }
    if (e instanceof DeadLetterAccessException letters) {
      return new CommandFailure(
          letters.isMissing() ? ExitCode.FINDINGS : ExitCode.UNREACHABLE,
          Printable.line(String.valueOf(e.getMessage())));
    }
    if (e instanceof DestinationNameException) {
      return new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
    LOG.error("The command failed; this should not happen", e);
    return new CommandFailure(
        ExitCode.INTERNAL,
        "Internal error: " + Printable.line(e.toString()) + "; the log has more");
  }

  /** The sentence comes last, not before pages of usage. */
  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine line = e.getCommandLine();
    String said = Printable.line(String.valueOf(e.getMessage())).replaceAll("[.]$", "");
    CommandFailure failure = new CommandFailure(ExitCode.USAGE, said);
    String name = line.getCommandSpec().qualifiedName();
    line.getErr().println("%s%s See '%s --help'.".formatted(said, near(e), name));
    json(line, List.of(arguments), failure, List.of());
    return ExitCode.USAGE;
  }

  private static String near(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return ".";
    }
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    List<String> known = new ArrayList<>(spec.optionsMap().keySet());
    known.addAll(spec.subcommands().keySet());
    return Closest.to(unmatched.getUnmatched().get(0), known)
        .map(near -> ", did you mean '" + near + "'?")
        .orElse(".");
  }

  private static void json(
      CommandLine line, List<String> arguments, CommandFailure failure, List<Problem> problems) {
    if (!arguments.contains("--json")) {
      return;
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("error", failure.getMessage());
    object.put("exitCode", failure.exitCode());
    if (!problems.isEmpty()) {
      object.put("problems", problems);
    }
    line.getOut().println(Output.JSON.writeValueAsString(object));
  }
}
