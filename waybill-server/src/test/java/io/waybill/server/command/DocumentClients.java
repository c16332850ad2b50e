package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.InstalledProgram;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What tests have in common whose relays are configured by the page for documented systems. */
abstract class DocumentClients {
  static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));

  @TempDir Path folder;
  RelayProcesses relays;

  @BeforeAll
  static void installLibraries() throws Exception {
    InstalledProgram.assumeThere("psql", "postgresql-client");
    String output = run(List.of(node("npm"), "ci", "--no-audit", "--no-fund"));
    assertThat(output).contains("added");
  }

  @BeforeEach
  void prepare() {
    relays = new RelayProcesses(folder);
  }

  @AfterEach
  void stop() {
    relays.close();
  }

  PageSetup page(ClientDatabase database) {
    return new PageSetup(folder, database.server().kind(), database.url());
  }

  /** Creates a documented table, and configures a relay for it as the page says. */
  Path system(
      ClientDatabase database, String layout, String heading, Map.Entry<String, String> broker)
      throws IOException, SQLException {
    try (Connection superuser = database.superuser()) {
      PageSetup page = page(database);
      page.createTable(superuser, layout);
      return page.carryOut(heading, broker, superuser);
    }
  }

  static void arrived(ClientProcess client, int messages) {
    await().atMost(LIMIT).until(() -> client.messages().size() >= messages);
  }

  /** The numbers in the bodies of messages, as they arrived. */
  static Map<String, List<Integer>> numbers(ClientProcess client, Function<JsonNode, String> key) {
    return client.messages().stream()
        .collect(
            Collectors.groupingBy(
                key,
                Collectors.mapping(m -> m.path("body").path("n").asInt(), Collectors.toList())));
  }

  static String node(String program) {
    if (InstalledProgram.answers(List.of(program, "--version"))) {
      return program;
    }
    UnpackedServer.NODE.assumeThere();
    return UnpackedServer.NODE.starter(program).toString();
  }

  static String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(ClientProcess.FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
