package io.waybill.server.command;

import io.waybill.server.log.Logs;
import io.waybill.server.relay.RelayRules;
import io.waybill.server.terminal.CommandContext;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.config.ConfigLoader;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.WaybillProperties;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options by which a command finds its configuration and its outbox. */
final class ConfigOptions {
  private static final String FILE_VARIABLE = "WAYBILL_CONFIG";
  private static final Path USUAL_FILE = Path.of("waybill.yaml");
  private static final String NAME = "command";

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "Configuration file. Default: $WAYBILL_CONFIG, or waybill.yaml here; without both the"
              + " variables WAYBILL_... alone.")
  private @Nullable Path file;

  @Option(
      names = {"-o", "--outbox"},
      paramLabel = "NAME",
      description = "Which outbox, where the configuration has several.")
  private @Nullable String outbox;

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  /**
   * A configuration without problems.
   *
   * @param loaded what was read
   * @param outboxes its outboxes
   */
  record Config(LoadedConfig<WaybillProperties> loaded, List<StandaloneOutbox> outboxes) {}

  /** The configuration; logging is quiet unless the command is the relay itself. */
  Config load() {
    Logs.quiet();
    return loadAloud(Map.of());
  }

  /**
   * The configuration.
   *
   * @param more variables that come before those of the environment
   */
  Config loadAloud(Map<String, String> more) {
    LoadedConfig<WaybillProperties> loaded = read(more);
    List<StandaloneOutbox> all = StandaloneOutboxes.of(loaded, NAME);
    RelayRules.check(loaded);
    if (!loaded.problems().isEmpty()) {
      throw loaded.refused();
    }
    return new Config(loaded, all);
  }

  private LoadedConfig<WaybillProperties> read(Map<String, String> more) {
    ConfigLoader<WaybillProperties> loader = StandaloneOutboxes.loader();
    Map<String, String> environment = new HashMap<>(context().environment());
    environment.putAll(more);
    String named = environment.get(FILE_VARIABLE);
    if (file == null && named == null && !Files.exists(USUAL_FILE) && hasKeys(environment)) {
      return loader.load(environment);
    }
    Path path = file != null ? file : named != null ? Path.of(named) : USUAL_FILE;
    return loader.load(path, environment);
  }

  private static boolean hasKeys(Map<String, String> environment) {
    return environment.keySet().stream().anyMatch(name -> name.startsWith("WAYBILL_OUTBOXES_"));
  }

  /** The outbox that was meant. */
  StandaloneOutbox outbox() {
    return outbox(load().outboxes());
  }

  private StandaloneOutbox outbox(List<StandaloneOutbox> outboxes) {
    String names = outboxes.stream().map(StandaloneOutbox::name).collect(Collectors.joining(", "));
    if (outbox == null && outboxes.size() > 1) {
      throw new CommandFailure(ExitCode.USAGE, "Say which outbox with --outbox: " + names);
    }
    return outboxes.stream()
        .filter(candidate -> outbox == null || candidate.name().equals(outbox))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.USAGE, "There is no outbox '" + outbox + "', there are: " + names));
  }

  /** The outboxes that were meant: one by name, else all. */
  List<StandaloneOutbox> outboxes() {
    List<StandaloneOutbox> all = load().outboxes();
    return outbox == null ? all : List.of(outbox(all));
  }

  CommandContext context() {
    return CommandContext.of(spec);
  }
}
