package io.waybill.server.config;

import java.util.List;

/**
 * A configuration that passed its checks.
 *
 * @param config the configuration
 * @param settings every value as it holds in the end, secrets masked
 * @param warnings what is allowed but dangerous
 */
public record LoadedConfig(ServerConfig config, List<Setting> settings, List<String> warnings) {
  /** Copies the lists. */
  public LoadedConfig {
    settings = List.copyOf(settings);
    warnings = List.copyOf(warnings);
  }
}
