package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An API without a relay, on a real PostgreSQL, with users of every role. */
abstract class ApiOnPostgres extends CommandsOnPostgres {
  @TempDir private Path home;
  Path users = Path.of("unset");
  ApiServer api;
  ApiDescription description;

  /** A folder without a configuration. */
  Path home() {
    return home;
  }

  @BeforeEach
  void start() throws Exception {
    users = home.resolve("users");
    Files.write(
        users,
        List.of(
            "# the users of a test",
            user("viewer", "viewer"),
            user("operator", "operator"),
            user("administrator", "administrator"),
            user("here", "viewer@orders"),
            user("elsewhere", "administrator@bills")));
    api = ApiServer.start(config(), users);
    description = new ApiDescription(ApiServer.json(api.get("viewer", "/openapi.json")));
  }

  @AfterEach
  void stop() {
    api.close();
  }

  static String user(String name, String roles) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(ApiServer.password(name).getBytes(UTF_8));
    return name + ":" + roles + ":{sha256}" + HexFormat.of().formatHex(hash);
  }

  static String encoded(@Nullable String text) {
    return URLEncoder.encode(String.valueOf(text), UTF_8);
  }
}
