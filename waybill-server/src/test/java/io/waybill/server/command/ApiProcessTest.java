package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code waybill api} as a process of its own, without users. */
class ApiProcessTest extends CommandsOnPostgres {
  private static final Pattern PORT =
      Pattern.compile("API, health and metrics on http://127.0.0.1:([0-9]+)");
  private static final Pattern FILE = Pattern.compile("the login until it stops is in (\\S+)");
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));

  @TempDir private Path home;

  private static String found(Pattern pattern, RelayProcesses processes) throws IOException {
    Matcher matcher = pattern.matcher(processes.log());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  @Test
  void servesWithoutARelayToTheFirstLoginUntilItStops() throws Exception {
    try (RelayProcesses processes = new RelayProcesses(home)) {
      Process api = processes.run(config(), Map.of("SERVER_PORT", "0"), "api");
      await().atMost(LIMIT).untilAsserted(() -> assertThat(processes.log()).containsPattern(PORT));

      Path file = Path.of(found(FILE, processes));
      String login = Files.readString(file).strip();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(processes.log()).doesNotContain(login.substring(login.indexOf(':') + 1));
      String base = "http://127.0.0.1:" + found(PORT, processes);
      HttpResponse<String> answer = get(base + "/api/v1/outboxes/orders/relays", login);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("{\"items\":[]}");
      assertThat(get(base + "/api/v1/outboxes", "first:wrong").statusCode()).isEqualTo(401);
      assertThat(get(base + "/readyz", login).statusCode()).isEqualTo(200);

      processes.stop(api);
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void aRelayIsNotStartedWithoutOne() throws Exception {
    try (RelayProcesses processes = new RelayProcesses(home)) {
      Process relay =
          processes.start(
              config(), Map.of("WAYBILL_API_ENABLED", "true", "WAYBILL_RELAY_ENABLED", "false"));

      assertThat(relay.waitFor()).isEqualTo(ExitCode.CONFIG);
      assertThat(processes.log()).contains("waybill.relay.enabled must be true for a relay");
    }
  }

  private static HttpResponse<String> get(String address, String login) throws Exception {
    String encoded = Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .timeout(LIMIT)
            .header("Authorization", "Basic " + encoded)
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
