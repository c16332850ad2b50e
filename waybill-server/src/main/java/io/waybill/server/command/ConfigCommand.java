package io.waybill.server.command;

import io.waybill.server.relay.RelayProcess;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.config.Setting;
import io.waybill.spring.properties.WaybillProperties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Looks at the configuration. */
@Command(name = "config", description = "Check or print the configuration.")
final class ConfigCommand extends Group {
  @Command(
      name = "check",
      description = "Check the configuration and list everything that is wrong with it.")
  int check(@Mixin ConfigOptions options, @Mixin Output output) {
    ConfigOptions.Config config = options.load();
    LoadedConfig<WaybillProperties> loaded = config.loaded();
    int outboxes = config.outboxes().size();
    if (output.json()) {
      output.object(Map.of("outboxes", outboxes, "warnings", loaded.warnings()));
    } else {
      loaded.warnings().forEach(warning -> output.line("warning: " + warning));
      output.line("The configuration is fine: " + outboxes + " outbox(es).");
    }
    return ExitCode.OK;
  }

  @Command(
      name = "print",
      description = "Print the effective value and origin of every setting; secrets as ***.")
  int print(@Mixin ConfigOptions options, @Mixin Output output) {
    LoadedConfig<WaybillProperties> loaded = options.load().loaded();
    List<Setting> settings = new ArrayList<>();
    loaded.settings().stream().filter(ConfigCommand::isOfARelay).forEach(settings::add);
    settings.addAll(RelayProcess.settings(loaded));
    output.rows(settings.stream().map(ConfigCommand::row).toList(), "There is no setting.");
    return ExitCode.OK;
  }

  /** The others are for applications, and refused here unless they have their default. */
  private static boolean isOfARelay(Setting setting) {
    return Stream.of("waybill.outboxes.", "waybill.relay.").anyMatch(setting.key()::startsWith)
        || !Set.of("default", "not set").contains(setting.origin());
  }

  private static Map<String, String> row(Setting setting) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("setting", setting.key());
    row.put("value", setting.value());
    row.put("origin", setting.origin());
    return row;
  }
}
