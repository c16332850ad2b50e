package io.waybill.server.command;

import io.waybill.server.config.ConfigLoader;
import io.waybill.server.config.LoadedConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.ServerConfig;
import io.waybill.server.log.Logs;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
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
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Configuration file. Default: $WAYBILL_CONFIG, or waybill.yaml here.")
  private @Nullable Path file;

  @Option(
      names = {"-o", "--outbox"},
      paramLabel = "NAME",
      description = "Which outbox, where the configuration has several.")
  private @Nullable String outbox;

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** The configuration; logging is quiet unless the command is the relay itself. */
  LoadedConfig load() {
    Logs.quiet();
    return loadAloud();
  }

  LoadedConfig loadAloud() {
    Map<String, String> environment = surroundings().environment();
    Path path =
        file != null ? file : Path.of(environment.getOrDefault("WAYBILL_CONFIG", "waybill.yaml"));
    return ConfigLoader.load(path, environment, defaultName());
  }

  /** The outbox that was meant. */
  OutboxConfig outbox() {
    return outbox(load().config());
  }

  private OutboxConfig outbox(ServerConfig config) {
    List<OutboxConfig> outboxes = config.outboxes();
    String names = outboxes.stream().map(OutboxConfig::name).collect(Collectors.joining(", "));
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
  List<OutboxConfig> outboxes() {
    return outboxes(load().config());
  }

  /** The same of a configuration that is there. */
  List<OutboxConfig> outboxes(ServerConfig config) {
    return outbox == null ? config.outboxes() : List.of(outbox(config));
  }

  Surroundings surroundings() {
    return Surroundings.of(spec);
  }

  private static String defaultName() {
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      String host = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
      return host.substring(0, Math.min(host.length(), 80)) + "-" + pid;
    } catch (UnknownHostException e) {
      return "relay-" + pid;
    }
  }
}
