package io.waybill.examples.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.Interrupts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ServicesExampleTest {
  private record Run(int exitCode, String out, String err) {}

  private static Run run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    CommandLine program =
        ServicesExample.commandLine(stream, new Interrupts()).setErr(new PrintWriter(err, true));
    int exitCode = program.execute(args);
    return new Run(exitCode, out.toString(StandardCharsets.UTF_8), err.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mariadb"})
  @Tag("server")
  @Tag("long")
  void aWalletsEventArrivesAndItsTraceGoesFromTheRequestToTheHandler(String database) {
    Run run = run("wallet", "--port", "0", "--once", "--database", database);

    assertThat(run.out())
        .contains("POST /wallets: 201 ", "arrived on WalletCreatedEvent-out-0, key ")
        .containsPattern("\"owner\":\"Ada\"")
        .containsPattern("trace [0-9a-f]{32}:\n  wallet-service: http post /wallets\n")
        .contains("wallet-service: process WalletCreatedEvent")
        .doesNotContain(".dlt");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  @Tag("server")
  @Tag("long")
  void aReservationReachesItsListenerInOneTrace() {
    Run run = run("notification", "--port", "0", "--once");

    assertThat(run.out())
        .contains(
            "POST /reservations: 201 ",
            "arrived on notification.restaurant, id RES-REQ-1-RESTAURANT:",
            "\"event_type\":\"RESERVATION_REQUESTED\",\"aggregate_type\":\"RESTAURANT\"",
            "\"aggregate_id\":5,\"payload\":{\"reservation_id\":\"RES-1\",\"restaurant_id\":5,",
            "\"customer_name\":\"John\",\"party_size\":4,\"time\":\"20:00\"}")
        .containsPattern("trace [0-9a-f]{32}:\n  notification-service: http post /reservations\n")
        .contains("notification-service: notification.restaurant receive");
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "65536"})
  void aPortThatCannotBeIsRefused(String port) {
    Run run = run("wallet", "--port=" + port);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--port must be from 0 to 65535, but is " + port);
  }

  @ParameterizedTest
  @ValueSource(strings = {"wallet", "notification"})
  void theReadmeShowsTheRequest(String name) throws Exception {
    ServiceCommand command =
        Objects.requireNonNull(
                ServicesExample.commandLine(System.out, new Interrupts())
                    .getSubcommands()
                    .get(name))
            .getCommand();

    assertThat(Files.readString(Path.of(name + ".md")))
        .contains(
            "./waybill example services " + name,
            command.request().curl("http://127.0.0.1:8080").strip());
  }
}
