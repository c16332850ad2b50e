package io.waybill.server.command;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A configuration whose database and broker are not there. */
abstract class OfflineSetting {
  static final String CANARY = "c4nary-s3cret";
  static final String YAML =
      """
      waybill:
        outboxes:
          orders:
            database:
              # Nothing listens on the discard port.
              url: jdbc:postgresql://127.0.0.1:9/shop
              username: relay
              password: ${SECRET}
            kafka:
              bootstrap-servers: [127.0.0.1:9]
            routes:
              default:
                target: orders
      """;
  static final Map<String, String> SECRETS = Map.of("SECRET", CANARY);

  @TempDir Path folder;
  Path config = Path.of("unset");

  @BeforeEach
  void write() {
    config = CommandRun.write(folder, YAML);
  }
}
