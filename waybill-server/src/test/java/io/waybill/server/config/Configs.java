package io.waybill.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;

/** Configurations for tests. */
final class Configs {
  static final String MINIMAL =
      """
      outboxes:
        orders:
          database:
            url: jdbc:postgresql://localhost:5432/shop
          kafka:
            bootstrap-servers: [localhost:9092]
          routes:
            default:
              target: orders
      """;

  private Configs() {}

  static LoadedConfig load(String yaml) {
    return load(yaml, Map.of());
  }

  static LoadedConfig load(String yaml, Map<String, String> environment) {
    return ConfigLoader.parse("waybill.yaml", yaml.getBytes(UTF_8), environment, "relay-1");
  }

  static List<Problem> problems(String yaml, Map<String, String> environment) {
    try {
      load(yaml, environment);
      return List.of();
    } catch (ConfigException e) {
      return e.problems();
    }
  }

  /** The minimal configuration with lines put below the outbox. */
  static String outboxWith(String lines) {
    return MINIMAL + lines.indent(4);
  }
}
