package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.access.Passwords;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong passwords at the API, straight, below a path, and behind a proxy. */
class LoginLimitProcessTest {
  private static final int WRONG = 10;

  @TempDir private Path folder;

  private ServedApi start(Map<String, String> settings) throws Exception {
    Path users = folder.resolve("users");
    Files.writeString(users, "grafana:viewer:" + Passwords.hashOfToken("secret") + "\n");
    Map<String, String> all = new HashMap<>(settings);
    all.put("WAYBILL_API_USERS", users.toString());
    return ServedApi.start(folder, all);
  }

  private static HttpResponse<String> login(
      ServedApi api, String password, String path, String client) {
    return api.ask(ServedApi.basic("grafana", password), path, Map.of("X-Forwarded-For", client))
        .join();
  }

  @Test
  void tooManyWrongPasswordsAreToldToWait() throws Exception {
    try (ServedApi api = start(Map.of())) {
      for (int i = 0; i < WRONG; i++) {
        assertThat(login(api, "wrong", "/metrics", "192.0.2." + i).statusCode()).isEqualTo(401);
      }
      HttpResponse<String> answer = login(api, "secret", "/metrics", "192.0.2.99");
      assertThat(answer.statusCode()).as("headers of anybody count for nothing").isEqualTo(429);
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/problem+json");
      assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 61L);
      assertThat(answer.headers().map()).doesNotContainKey("www-authenticate");
      assertThat(answer.body()).contains("Too many logins");
      assertThat(api.get(null, "/livez").statusCode()).isEqualTo(200);
      assertThat(api.get(null, "/metrics").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void behindAProxyEachClientIsItself() throws Exception {
    Map<String, String> proxied =
        Map.of(
            "SERVER_FORWARDHEADERSSTRATEGY", "native",
            "SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES", "127\\.0\\.0\\.1",
            "SERVER_SERVLET_CONTEXTPATH", "/waybill-a");
    String outboxes = "/waybill-a/api/v1/outboxes";
    try (ServedApi api = start(proxied)) {
      for (int i = 0; i < WRONG; i++) {
        assertThat(login(api, "wrong", outboxes, "192.0.2.1").statusCode()).isEqualTo(401);
      }
      assertThat(login(api, "secret", outboxes, "192.0.2.1").statusCode()).isEqualTo(429);
      HttpResponse<String> other = login(api, "secret", outboxes, "192.0.2.2");
      assertThat(other.statusCode()).isEqualTo(200);
      assertThat(other.body()).isEqualTo("{\"items\":[\"orders\"]}");
      assertThat(api.get(null, "/waybill-a/livez").statusCode()).isEqualTo(200);
      assertThat(api.get(null, "/api/v1/outboxes").statusCode()).isEqualTo(404);
    }
  }
}
