package io.waybill.spring.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The page of the reference is what the API says of itself. The system property {@code api.write}
 * writes it anew.
 */
class ApiReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "api-reference.md");

  @Test
  void thePageIsMadeFromTheDescription() throws IOException {
    String page = page();
    if (Boolean.getBoolean("api.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  private static String page() {
    StringBuilder page =
        new StringBuilder(
            """
            # API reference

            Each address is below `/api/v1`. [How to reach it, and who may](api.md). A `POST` has its parameters in a body of JSON.
            """);
    Map<String, Object> document = OpenApi.document();
    for (String method : List.of("get", "post")) {
      members(document, "paths")
          .forEach((path, item) -> page.append(section(method, path, (Map<?, ?>) item)));
    }
    page.append(
        "\n## Answers\n\nMembers of each answer; one that may be null has a question mark.\n");
    members(members(document, "components"), "schemas")
        .forEach((name, schema) -> page.append(answer(name, schema)));
    return page.toString();
  }

  private static String section(String method, String path, Map<?, ?> item) {
    if (!item.containsKey(method)) {
      return "";
    }
    Map<String, Object> operation = members(item, method);
    StringBuilder section =
        new StringBuilder(
            "\n## %s %s\n\n%s\n"
                .formatted(method.toUpperCase(Locale.ROOT), path, operation.get("summary")));
    Object command = operation.get("x-waybill-command");
    if (command != null) {
      section.append("\nCommand: `").append(command).append("`\n");
    }
    if (Role.ADMINISTRATOR.role().equals(operation.get("x-waybill-role"))) {
      section.append("\nFor administrators.\n");
    }
    List<String> rows = method.equals("get") ? ofAddress(operation) : ofBody(operation);
    if (!rows.isEmpty()) {
      section.append("\n| parameter | takes | |\n|---|---|---|\n");
      rows.forEach(section::append);
    }
    Map<String, Object> content = members(at(operation, "responses", "200"), "content");
    String media = content.keySet().iterator().next();
    String what = media.equals(Listener.TYPE) ? "Data of each event" : "Answer";
    return section
        .append("\n%s: %s\n".formatted(what, type(at(content, media, "schema"))))
        .toString();
  }

  private static List<String> ofAddress(Map<String, Object> operation) {
    return list(operation.get("parameters")).stream()
        .filter(each -> !text(each, "in").equals("path"))
        .map(each -> row(text(each, "name"), members(each, "schema"), text(each, "description")))
        .toList();
  }

  private static List<String> ofBody(Map<String, Object> operation) {
    Object schema = at(operation, "requestBody", "content", "application/json", "schema");
    return members(schema, "properties").keySet().stream()
        .map(
            name -> {
              Map<String, Object> each = members(at(schema, "properties"), name);
              return row(name, each, text(each, "description"));
            })
        .toList();
  }

  private static String row(String name, Map<String, Object> schema, String description) {
    return "| `%s` | %s | %s |\n".formatted(name, rule(schema), description);
  }

  private static String rule(Map<String, Object> schema) {
    if (schema.containsKey("enum")) {
      return String.join(
          ", ", list(schema.get("enum")).stream().map(each -> "`" + each + "`").toList());
    }
    return switch (String.valueOf(schema.get("type"))) {
      case "integer" ->
          "%s to %s, usually %s"
              .formatted(schema.get("minimum"), schema.get("maximum"), schema.get("default"));
      case "array" -> "text, at most %s times".formatted(schema.get("maxItems"));
      default ->
          schema.containsKey("format")
              ? "time, as 2026-01-31T12:00:00Z"
              : "text of at most %s characters".formatted(schema.get("maxLength"));
    };
  }

  private static String answer(String name, Object schema) {
    StringBuilder members =
        new StringBuilder("\n### " + name + "\n\n| member | type |\n|---|---|\n");
    members(schema, "properties")
        .forEach((member, type) -> members.append("| `%s` | %s |\n".formatted(member, type(type))));
    return members.toString();
  }

  private static String type(Object schema) {
    Map<?, ?> members = (Map<?, ?>) schema;
    if (members.get("$ref") instanceof String reference) {
      String name = reference.substring(reference.lastIndexOf('/') + 1);
      return "[%s](#%s)".formatted(name, name.toLowerCase(Locale.ROOT));
    }
    if (members.get("anyOf") instanceof List<?> either) {
      return type(either.get(0)) + "?";
    }
    if (members.get("enum") instanceof List<?> choices) {
      return String.join(", ", choices.stream().map(each -> "`" + each + "`").toList());
    }
    if (members.get("items") instanceof Map<?, ?> items) {
      return "list of " + type(items);
    }
    return String.valueOf(members.get("type")).equals("string") && members.containsKey("format")
        ? "time"
        : String.valueOf(members.get("type"));
  }

  private static Object at(Object from, String... names) {
    Object at = from;
    for (String name : names) {
      at = Objects.requireNonNull(((Map<?, ?>) at).get(name), name);
    }
    return at;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> members(Object of, String name) {
    return (Map<String, Object>) at(of, name);
  }

  private static String text(Object of, String name) {
    return String.valueOf(at(of, name));
  }

  private static List<?> list(@Nullable Object value) {
    return (List<?>) Objects.requireNonNull(value);
  }
}
