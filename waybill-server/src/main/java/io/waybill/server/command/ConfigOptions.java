package io.waybill.server.command;

import io.waybill.server.log.Logs;
import io.waybill.server.relay.RelayRules;
import io.waybill.server.remote.ApiClient;
import io.waybill.server.remote.ApiOptions;
import io.waybill.server.remote.OutboxAccess;
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
import picocli.CommandLine.Mixin;
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
      description = "Which outbox, where the configuration or the API has several.")
  private @Nullable String outbox;

  @Mixin private ApiOptions api = new ApiOptions();

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
    if (api.url().isPresent()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s needs the configuration of a relay, for its database or broker, and does not work through an API: leave out --url"
              .formatted(spec == null ? "The command" : spec.qualifiedName()));
    }
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
    requireOne(outboxes.size(), names);
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

  private void requireOne(int there, String names) {
    if (outbox == null && there > 1) {
      throw new CommandFailure(ExitCode.USAGE, "Say which outbox with --outbox: " + names);
    }
  }

  /** The outbox that was meant, in a database or through an API. */
  OutboxAccess access() {
    if (api.url().isEmpty()) {
      return new OutboxAccess.ByDatabase(outbox());
    }
    List<OutboxAccess> all = accesses();
    requireOne(all.size(), all.stream().map(OutboxAccess::name).collect(Collectors.joining(", ")));
    return all.get(0);
  }

  /** The outboxes that were meant: one by name, else all. */
  List<OutboxAccess> accesses() {
    if (api.url().isEmpty()) {
      return outboxes().stream().<OutboxAccess>map(OutboxAccess.ByDatabase::new).toList();
    }
    if (file != null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--config does not go with --url: the one leads to a database, the other to an API");
    }
    Logs.quiet();
    ApiClient client = api.client(context().environment());
    // Whether there is such a one, and for whom, the API says.
    List<String> names = outbox == null ? client.outboxes() : List.of(outbox);
    if (names.isEmpty()) {
      throw new CommandFailure(
          ExitCode.FINDINGS,
          "The API at %s shows no outbox to this login: it needs a role like WAYBILL_VIEWER"
              .formatted(client.url()));
    }
    return names.stream().<OutboxAccess>map(each -> new OutboxAccess.ByApi(client, each)).toList();
  }

  CommandContext context() {
    return CommandContext.of(spec);
  }
}
