package io.waybill.spring.internal.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Configurations for tests. */
final class Configs {
  static final String MINIMAL =
      """
      waybill:
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

  static final Set<String> POSTGRES = Set.of("ApplicationName", "sslmode", "sslrootcert");
  static final Set<String> MYSQL = Set.of("sslMode", "trustStore");
  static final Set<String> PRODUCER = Set.of("linger.ms", "compression.type");

  static final ConfigLoader<RelayConfig> LOADER =
      ConfigLoader.of("waybill", RelayConfig.class)
          .identifiers("outboxes")
          .allow(
              "outboxes.*.database.properties",
              beside -> beside.apply("url").contains("mysql") ? MYSQL : POSTGRES)
          .allow("outboxes.*.kafka.properties", beside -> PRODUCER)
          .ownVariables("WAYBILL_CONFIG", "WAYBILL_JAVA_OPTS")
          .others("server", "management", "logging", "spring");

  private Configs() {}

  static Path write(Path folder, String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static LoadedConfig<RelayConfig> load(Path folder, String yaml, Map<String, String> variables) {
    LoadedConfig<RelayConfig> loaded = LOADER.load(write(folder, "relay.yaml", yaml), variables);
    loaded.partial().ifPresent(config -> rules(config, loaded));
    return loaded;
  }

  static List<Problem> problems(Path folder, String yaml, Map<String, String> variables) {
    return load(folder, yaml, variables).problems();
  }

  /** The minimal configuration with lines put below the outbox. */
  static String outboxWith(String lines) {
    return MINIMAL + lines.indent(6);
  }

  /** Some of the rules that types cannot say. */
  private static void rules(RelayConfig config, LoadedConfig<RelayConfig> loaded) {
    if (config.outboxes().isEmpty()) {
      loaded.problem("waybill.outboxes", "must have at least one outbox");
    }
    config.outboxes().forEach((name, box) -> rules("waybill.outboxes." + name, box, loaded));
  }

  private static void rules(String outbox, RelayConfig.Box box, LoadedConfig<RelayConfig> loaded) {
    if (box.database().url() == null) {
      loaded.problem(outbox + ".database.url", "must be given");
    }
    if (box.kafka() != null && box.rabbitmq() != null) {
      loaded.problem(outbox + ".kafka", "must not stand beside rabbitmq");
    }
    if (box.limits().maxRows() < 1) {
      loaded.problem(outbox + ".limits.max-rows", "must be from 1 to 1000000");
    }
    if (box.limits().renewInterval().toSeconds() > 9) {
      loaded.problem(outbox + ".retention", "must be longer than limits.renew-interval", "7d");
    }
    if (box.routes().fallback() == null || box.routes().fallback().target().isEmpty()) {
      loaded.problem(outbox + ".routes.default.target", "must be given");
    } else if (box.routes().fallback().target().contains("{nope}")) {
      String target = box.routes().fallback().target();
      loaded.problem(outbox + ".routes.default", "is wrong: \"" + target + "\" names no field");
    }
    if (box.kafka() != null && box.kafka().bootstrapServers() != null) {
      box.kafka().bootstrapServers().stream()
          .filter(address -> !address.contains(":"))
          .forEach(
              address ->
                  loaded.problem(
                      outbox + ".kafka.bootstrap-servers", "must be host:port", address));
    }
  }
}
