package io.waybill.examples.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.examples.notification.Reservations.Reservation;
import io.waybill.proof.oracle.RabbitMessage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program as {@code ./waybill example notification} runs it. */
class NotificationExampleTest {
  @Tag("server")
  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mariadb"})
  void everyEventArrivesOnceInItsQueue(String database) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      code =
          new CommandLine(new NotificationExample(out))
              .execute("--database", database, "--reservations", "60", "--json");
    }
    String output = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(output).isZero();
    assertThat(output)
        .contains("52 reservations committed, 8 rolled back")
        .containsPattern("notification.restaurant +[{]\"event_id\":\"RES-REQ-1-RESTAURANT\"")
        .containsPattern("notification.admin +[{]\"event_id\"")
        .contains("OK: every event arrived once in its queue");
    JsonNode result =
        JsonMapper.shared().readTree(output.strip().lines().reduce("", (a, line) -> line));
    assertThat(result.path("events").asInt()).isGreaterThan(104);
    assertThat(result.path("delivered")).isEqualTo(result.path("events"));
    assertThat(result.path("rolledBack").asInt()).isEqualTo(8);
  }

  @Test
  void theResultNamesWhatWentWrong() {
    Reservation reservation = new Reservation(1, 2, 3, 4, 1);
    List<RabbitMessage> messages =
        List.of(
            message("notification.restaurant", "RES-REQ-1-RESTAURANT"),
            message("notification.restaurant", "RES-REQ-1-RESTAURANT"),
            message("notification.admin", "RES-REQ-1-AGENCY"),
            message("notification.admin", "RES-REQ-9-ADMIN"));

    Result result = Result.of(List.of(reservation), messages, 5, 6);

    assertThat(result).isEqualTo(new Result(3, 5, 4, 2, 1, 1, 1, 6));
    assertThat(result.clean()).isFalse();
    assertThat(result.text()).contains("NOT as it should be");
  }

  private static RabbitMessage message(String queue, String eventId) {
    String body = "{\"event_id\":\"" + eventId + "\"}";
    return new RabbitMessage(queue, eventId, body, Map.of(), false);
  }

  @Test
  void aBadOptionIsNamedWithItsRuleAndValue() {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new NotificationExample(System.out))
            .setErr(new PrintWriter(errors))
            .execute("--reservations", "0");

    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).contains("--reservations must be from 1 to 100000, but is 0");
  }
}
