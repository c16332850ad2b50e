package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The description that an API gives of itself, and whether an answer is as it says. */
record ApiDescription(JsonNode document) {
  /**
   * An operation.
   *
   * @param method GET or POST
   * @param path as in the description, with a name in braces for the outbox
   * @param parameters those of the query or the body
   */
  record Operation(
      String method, String path, List<Parameter> parameters, JsonNode responses, JsonNode role) {
    boolean isStream() {
      return responses.at("/200/content").has("text/event-stream");
    }

    boolean changes() {
      return method.equals("POST");
    }
  }

  /** A parameter. */
  record Parameter(String name, boolean required, JsonNode schema) {}

  /** Those that have one answer. */
  List<Operation> operations() {
    return all().filter(each -> !each.isStream()).toList();
  }

  /** Those whose answers do not end. */
  List<Operation> streams() {
    return all().filter(Operation::isStream).toList();
  }

  private Stream<Operation> all() {
    return document
        .get("paths")
        .propertyStream()
        .flatMap(
            path ->
                path.getValue()
                    .propertyStream()
                    .map(each -> operation(each.getKey(), path.getKey(), each.getValue())));
  }

  private static Operation operation(String method, String path, JsonNode described) {
    List<Parameter> parameters =
        described.has("requestBody")
            ? ofBody(described.at("/requestBody/content/application~1json/schema"))
            : described
                .get("parameters")
                .valueStream()
                .filter(each -> each.get("in").asString().equals("query"))
                .map(
                    each ->
                        new Parameter(
                            each.get("name").asString(),
                            each.get("required").asBoolean(),
                            each.get("schema")))
                .toList();
    return new Operation(
        method.toUpperCase(Locale.ROOT),
        path,
        parameters,
        described.get("responses"),
        described.path("x-waybill-role"));
  }

  private static List<Parameter> ofBody(JsonNode schema) {
    List<String> required = schema.get("required").valueStream().map(JsonNode::asString).toList();
    return schema
        .get("properties")
        .propertyStream()
        .map(
            each -> new Parameter(each.getKey(), required.contains(each.getKey()), each.getValue()))
        .toList();
  }

  /** Fails unless the status is described, and the body is as it says. */
  void check(Operation operation, HttpResponse<String> answer, String about) {
    JsonNode response = operation.responses().get(Integer.toString(answer.statusCode()));
    assertThat(response).as("status %d of %s", answer.statusCode(), about).isNotNull();
    String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
    JsonNode content = response.get("content").get(type);
    assertThat(content).as("content type '%s' of %s", type, about).isNotNull();
    check(content.get("schema"), ApiServer.json(answer), about);
  }

  /** Fails unless the data of an event is as it says. */
  void checkEvent(Operation stream, JsonNode data) {
    check(stream.responses().at("/200/content/text~1event-stream/schema"), data, "event");
  }

  private void check(JsonNode schema, JsonNode value, String at) {
    if (schema.has("$ref")) {
      JsonNode referred = document.at(schema.get("$ref").asString().substring(1));
      assertThat(referred.isMissingNode()).as("%s of %s", schema, at).isFalse();
      check(referred, value, at);
      return;
    }
    if (schema.has("anyOf")) {
      // The one but null is first.
      check(schema.get("anyOf").get(value.isNull() ? 1 : 0), value, at);
      return;
    }
    boolean fits =
        switch (schema.get("type").asString()) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isString();
          case "integer" -> value.isIntegralNumber();
          case "boolean" -> value.isBoolean();
          case "null" -> value.isNull();
          default -> fail("type of " + schema);
        };
    assertThat(fits).as("%s must be %s: %s", at, schema.get("type"), value).isTrue();
    if (schema.has("enum")) {
      assertThat(schema.get("enum").valueStream().toList()).as(at).contains(value);
    }
    if (schema.path("format").asString("").equals("date-time")) {
      assertThat(Instant.parse(value.asString())).isNotNull();
    }
    if (value.isArray()) {
      value.forEach(item -> check(schema.get("items"), item, at + "[]"));
    }
    if (value.isObject()) {
      schema
          .get("required")
          .forEach(name -> assertThat(value.has(name.asString())).as(at + "." + name).isTrue());
      value
          .propertyStream()
          .forEach(
              member -> {
                JsonNode known = schema.get("properties").get(member.getKey());
                assertThat(known).as("%s.%s is not described", at, member.getKey()).isNotNull();
                check(known, member.getValue(), at + "." + member.getKey());
              });
    }
  }
}
