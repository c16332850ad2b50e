package io.waybill.server.relay;

import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Configurations for tests, checked as commands check them. */
final class Loaded {
  /** An outbox whose database and broker are away. */
  static final String AWAY =
      """
      server: {port: 0}
      waybill:
        relay: {grace-period: 1s}
        outboxes:
          orders:
            database: {url: "jdbc:postgresql://127.0.0.1:9/shop"}
            kafka: {bootstrap-servers: ["127.0.0.1:9"]}
            routes: {default: {target: orders}}
      """;

  private Loaded() {}

  static LoadedConfig<WaybillProperties> of(
      Path folder, String yaml, Map<String, String> environment) {
    try {
      return of(Files.writeString(folder.resolve("waybill.yaml"), yaml), environment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An outbox that has to be there. */
  static OutboxProperties outbox(LoadedConfig<WaybillProperties> loaded, String name) {
    return Objects.requireNonNull(loaded.get().outboxes().get(name));
  }

  static LoadedConfig<WaybillProperties> of(Path file, Map<String, String> environment) {
    LoadedConfig<WaybillProperties> loaded = StandaloneOutboxes.loader().load(file, environment);
    StandaloneOutboxes.of(loaded, "test");
    RelayRules.check(loaded);
    return loaded;
  }
}
