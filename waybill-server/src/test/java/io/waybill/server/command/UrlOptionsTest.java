package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and options with which a command reaches no API. */
class UrlOptionsTest {
  private static final String NOBODY = "http://127.0.0.1:9";

  @TempDir private Path home;

  private CommandRun url(String... arguments) throws Exception {
    return at(NOBODY, arguments);
  }

  private CommandRun at(String url, String... arguments) throws Exception {
    Path login = Files.writeString(home.resolve("login"), "viewer:s3cret");
    return CommandRun.of(
        Map.of(),
        CommandsOnPostgres.with(arguments, "--url", url, "--token-file", login.toString()));
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:9, does not answer",
    "https://127.0.0.1:9, does not answer",
    "ftp://127.0.0.1, --url must be",
    "127.0.0.1:9, --url must be",
    "http://kim:s3cret@127.0.0.1:9, has a login",
    "http://127.0.0.1:9?x=1, --url must be",
    "http://ops.example, --plaintext"
  })
  void anAddressThatLeadsNowhereIsNamed(String url, String why) throws Exception {
    CommandRun run = at(url, "status");
    assertThat(run.code())
        .isEqualTo(why.startsWith("does") ? ExitCode.UNREACHABLE : ExitCode.USAGE);
    assertThat(run.err()).contains(why).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "302 Found|Location: https://sso.example/login, leads to https://sso.example/login",
    "200 OK|Content-Type: text/html, There is no API at",
    "404 Not Found|Content-Type: text/html, There is no API at",
    "502 Bad Gateway|Content-Type: text/html, answers 502"
  })
  void whatIsNoApiIsNamed(String answer, String why) throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread serving = new Thread(() -> answer(other, answer));
      serving.start();
      CommandRun run = at("http://127.0.0.1:" + other.getLocalPort(), "status");
      assertThat(run.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(run.err()).contains(why);
    }
  }

  private static void answer(ServerSocket other, String answer) {
    String head = "HTTP/1.1 " + answer.replace("|", "\r\n");
    String text = head + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    while (!other.isClosed()) {
      try (Socket caller = other.accept()) {
        byte[] request = new byte[8192];
        if (caller.getInputStream().read(request) > 0) {
          OutputStream out = caller.getOutputStream();
          out.write(text.getBytes(US_ASCII));
        }
      } catch (IOException e) {
        // The test is over.
      }
    }
  }

  @Test
  void optionsThatDoNotGoTogetherAreRefused() throws Exception {
    assertThat(url("status", "--config", "x.yaml").err())
        .contains("--config does not go with --url");
    assertThat(CommandRun.of(Map.of(), "status", "--token-file", "x").err())
        .contains("--token-file goes with --url");
    assertThat(url("events", "list", "--outbox", "orders", "--destination", "audit").err())
        .contains("--destination does not go with --url");
    assertThat(url("events", "show", "--outbox", "orders", "e1", "--payload").err())
        .contains("--payload does not go with --url");
    String limit =
        url("events", "skip", "e3", "--outbox", "orders", "--limit", "1", "--yes", "--reason", "x")
            .err();
    assertThat(limit).contains("--limit does not go with --url");
  }

  @ParameterizedTest
  @ValueSource(strings = {"schema check", "config print", "schema empty", "consumers"})
  void whatNeedsTheConfigurationSaysSo(String command) throws Exception {
    CommandRun run = url(command.split(" "));
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("waybill " + command).contains("does not work through an API");
  }
}
