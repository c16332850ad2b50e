package io.waybill.server.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two instances of the API on one database, and a browser. */
abstract class BrowsersAtTheApi extends CommandsOnPostgres {
  static final String API = "/api/v1/outboxes";
  static final String PAUSE = API + "/orders/destination/pause";
  static final String BODY = "{\"destination\": \"audit\", \"reason\": \"ticket 7\"}";

  @TempDir Path home;
  Path users;
  ApiServer first;
  ApiServer second;
  Browser browser;

  @BeforeEach
  void start() throws Exception {
    users = home.resolve("users");
    write(ApiOnPostgres.user("alice", "operator"), ApiOnPostgres.user("bob", "viewer"));
    first = ApiServer.start(config(), users);
    second = ApiServer.start(config(), users);
    browser = new Browser(first.url());
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  void write(String... lines) throws Exception {
    Files.write(users, List.of(lines));
  }

  String token() throws Exception {
    return ApiServer.json(browser.fetch("/login/user")).get("csrfToken").asString();
  }
}
