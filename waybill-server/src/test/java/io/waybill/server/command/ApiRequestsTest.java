package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.command.ApiDescription.Operation;
import io.waybill.server.command.ApiDescription.Parameter;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Requests at random, hostile ones too. {@code -Dapi.requests} says how many. */
@Tag("long")
class ApiRequestsTest extends ApiOnPostgres {
  private static final int REQUESTS = Integer.getInteger("api.requests", 1_000);
  private static final List<String> HOSTILE =
      List.of(
          "",
          " ",
          "'",
          "e1'; drop table waybill_outbox; --",
          "%",
          "_",
          "\\",
          "../../etc/passwd",
          "<script>alert(1)</script>",
          "\u0000",
          "\ud83d\ude00",
          "a\r\nSet-Cookie: x=1",
          "9".repeat(30),
          "-1",
          "1e9",
          "null",
          "x".repeat(501),
          "2026-01-31",
          "+999999999-12-31T23:59:59Z",
          "-999999999-01-01T00:00:00Z");

  @Test
  void requestsDrawnFromTheDescriptionAreAnsweredAsItSays() throws Exception {
    long seed = Long.getLong("api.seed", System.nanoTime());
    Random random = new Random(seed);
    Map<Integer, Integer> statuses = new TreeMap<>();
    List<Operation> operations = description.operations();
    List<String> callers = List.of("viewer", "administrator", "here", "elsewhere");
    for (int i = 0; i < REQUESTS; i++) {
      Operation operation = operations.get(random.nextInt(operations.size()));
      String path = operation.path().replace("{outbox}", "orders");
      String caller = callers.get(random.nextInt(callers.size()));
      HttpResponse<String> answer;
      if (operation.changes()) {
        String body = body(operation, random);
        answer = api.post(caller, path, "application/json", body);
        path += " " + body;
      } else {
        path += query(operation, random);
        answer = api.get(caller, path);
      }
      description.check(operation, answer, "request %d of seed %d: %s".formatted(i, seed, path));
      assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
      statuses.merge(answer.statusCode(), 1, Integer::sum);
    }
    System.out.printf("api: %d requests of seed %d, by status %s%n", REQUESTS, seed, statuses);
    assertThat(statuses.keySet()).allMatch(status -> status < 500);
    assertThat(statuses).containsKeys(200, 400, 403);
    assertThat(count("waybill_outbox")).isEqualTo(4);
  }

  private static String query(Operation operation, Random random) {
    List<String> parts = new ArrayList<>();
    for (Parameter parameter : operation.parameters()) {
      int times = random.nextInt(10) < 6 ? 0 : random.nextInt(20) == 0 ? 2 : 1;
      for (int i = 0; i < times; i++) {
        parts.add(parameter.name() + "=" + encoded(value(parameter.schema(), random)));
      }
    }
    if (random.nextInt(20) == 0) {
      parts.add(encoded(any(HOSTILE, random)) + "=1");
    }
    return parts.isEmpty() ? "" : "?" + String.join("&", parts);
  }

  /** Mostly an object that is nearly right. */
  private static String body(Operation operation, Random random) {
    if (random.nextInt(20) == 0) {
      return any(List.of("", "{", "[]", "null", "1", "{\"id\":{}}", "{\"id\":[[1]]}"), random);
    }
    Map<String, Object> body = new TreeMap<>();
    for (Parameter parameter : operation.parameters()) {
      if (parameter.required() ? random.nextInt(10) > 0 : random.nextInt(10) > 6) {
        String value = value(parameter.schema(), random);
        body.put(parameter.name(), random.nextInt(10) == 0 ? List.of(value, value) : value);
      }
    }
    if (random.nextInt(20) == 0) {
      body.put(any(HOSTILE, random), 1);
    }
    return ApiServer.JSON.writeValueAsString(body);
  }

  private static String value(JsonNode schema, Random random) {
    if (random.nextInt(4) == 0) {
      return any(HOSTILE, random);
    }
    if (schema.has("enum")) {
      return any(schema.get("enum").valueStream().map(JsonNode::asString).toList(), random);
    }
    return switch (schema.path("format").asString(schema.get("type").asString())) {
      case "integer" -> Integer.toString(1 + random.nextInt(schema.get("maximum").asInt()));
      case "date-time" -> "2026-0%d-01T00:00:00Z".formatted(1 + random.nextInt(9));
      default -> any(List.of("e1", "e4", "placed", "order", "orders", "2", "refused"), random);
    };
  }

  private static String any(List<String> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }
}
