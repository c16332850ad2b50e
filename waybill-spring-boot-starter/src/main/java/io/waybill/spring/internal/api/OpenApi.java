package io.waybill.spring.internal.api;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The description of all operations by OpenAPI 3.1, made of what answers them. */
final class OpenApi {
  private static final String SCHEMAS = "#/components/schemas/";
  private static final String LOGIN = "login";
  private static final String TOKEN = "token";
  private static final String PROBLEM = "Problem";

  private static final Map<String, String> PROBLEMS =
      Map.of(
          "400", "A parameter breaks a rule, or is unknown.",
          "401", "No login, or a wrong one.",
          "403", "The caller has not the right.",
          "404", "There is no such thing.",
          "405", "Another method.",
          "409", "It is not in a state in which this can be done.",
          "429", "Too many passwords were wrong.",
          "500", "A fault of the program; its log has the details.",
          "503", "Database, broker or issuer does not answer, or too much is asked at a time.");
  private static final Map<String, String> PROBLEMS_OF_CHANGES =
      Map.of("415", "The body is not JSON.");

  private final Map<String, Object> schemas = new TreeMap<>();
  private final Map<String, Class<?>> types = new HashMap<>();

  private OpenApi() {}

  /** The whole description. */
  static Map<String, Object> document() {
    return new OpenApi().describe();
  }

  private Map<String, Object> describe() {
    schemas.put(PROBLEM, problem());
    Map<String, Object> paths = new LinkedHashMap<>();
    paths.put(
        "/outboxes",
        Map.of(
            "get",
            operation(
                "outboxes",
                "Names of the outboxes that the caller may look at.",
                Stream.of(),
                OutboxApi.Outboxes.class,
                Map.of())));
    Map<String, Map<String, Object>> methods = new LinkedHashMap<>();
    for (Operation each : Operations.ALL) {
      methods
          .computeIfAbsent("/outboxes/{outbox}" + each.path(), path -> new LinkedHashMap<>())
          .put(each.method().key(), operation(each));
    }
    paths.putAll(methods);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put("info", Map.of("title", "Waybill", "version", "1"));
    // Seen from this document.
    document.put("servers", List.of(Map.of("url", "../v1")));
    document.put("security", List.of(Map.of(LOGIN, List.of()), Map.of(TOKEN, List.of())));
    document.put("paths", paths);
    document.put(
        "components",
        Map.of(
            "schemas",
            schemas,
            "securitySchemes",
            Map.of(
                LOGIN,
                Map.of("type", "http", "scheme", "basic"),
                TOKEN,
                Map.of("type", "http", "scheme", "bearer", "bearerFormat", "JWT"))));
    return document;
  }

  private Map<String, Object> operation(Operation each) {
    boolean change = each.method() == Operation.Method.POST;
    Stream<Parameter> inAddress = change ? Stream.of() : each.parameters().stream();
    Map<String, Object> operation =
        operation(
            id(each),
            each.summary(),
            Stream.concat(Stream.of(outbox()), inAddress.map(OpenApi::parameter)),
            each.answer(),
            change ? PROBLEMS_OF_CHANGES : Map.of());
    operation.put("x-waybill-command", each.command());
    operation.put("x-waybill-role", each.role().role());
    if (change) {
      operation.put("requestBody", body(each));
    }
    return operation;
  }

  private static Map<String, Object> body(Operation operation) {
    Map<String, Object> members = new LinkedHashMap<>();
    operation
        .parameters()
        .forEach(
            each -> {
              Map<String, Object> schema = schema(each);
              schema.put("description", each.description());
              members.put(each.name(), schema);
            });
    List<String> required =
        operation.parameters().stream().filter(Parameter::required).map(Parameter::name).toList();
    Map<String, Object> schema =
        Map.of("type", "object", "properties", members, "required", required);
    return Map.of(
        "required", true, "content", Map.of("application/json", Map.of("schema", schema)));
  }

  private static Map<String, Object> problem(String description) {
    return response(description, "application/problem+json", Map.of("$ref", SCHEMAS + PROBLEM));
  }

  /** A change has the name of the question at its address, and a word more. */
  private static String id(Operation operation) {
    String words = ("outbox" + operation.path()).replaceAll("[^a-z]+", "-").replaceAll("-$", "");
    return operation.method() == Operation.Method.GET
        ? words
        : words + "-" + operation.method().key();
  }

  private Map<String, Object> operation(
      String id,
      String summary,
      Stream<Map<String, Object>> parameters,
      Class<?> answer,
      Map<String, String> more) {
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("operationId", id);
    operation.put("summary", summary);
    operation.put("parameters", parameters.toList());
    Map<String, Object> responses = new TreeMap<>();
    boolean stream = answer == Answers.Change.class;
    responses.put(
        "200",
        stream
            ? response("The data of each event.", Listener.TYPE, reference(answer))
            : response("The answer.", "application/json", reference(answer)));
    PROBLEMS.forEach((status, why) -> responses.put(status, problem(why)));
    more.forEach((status, why) -> responses.put(status, problem(why)));
    operation.put("responses", responses);
    return operation;
  }

  private static Map<String, Object> response(
      String description, String type, Map<String, Object> schema) {
    return Map.of("description", description, "content", Map.of(type, Map.of("schema", schema)));
  }

  private static Map<String, Object> outbox() {
    Map<String, Object> path = new LinkedHashMap<>();
    path.put("name", "outbox");
    path.put("in", "path");
    path.put("required", true);
    path.put("description", "Name of the outbox.");
    path.put("schema", Map.of("type", "string", "minLength", 1));
    return path;
  }

  private static Map<String, Object> parameter(Parameter parameter) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("name", parameter.name());
    described.put("in", "query");
    described.put("required", parameter.required());
    described.put("description", parameter.description());
    described.put("schema", schema(parameter));
    return described;
  }

  private static Map<String, Object> schema(Parameter parameter) {
    Map<String, Object> schema = new LinkedHashMap<>();
    switch (parameter.kind()) {
      case TEXT, CONTENT -> {
        schema.put("type", "string");
        schema.put("maxLength", parameter.most());
      }
      case TEXTS -> {
        schema.put("type", "array");
        schema.put("items", Map.of("type", "string"));
        schema.put("maxItems", parameter.most());
      }
      case NUMBER -> {
        schema.put("type", "integer");
        schema.put("minimum", parameter.least());
        schema.put("maximum", parameter.most());
        if (parameter.usual() != null) {
          schema.put("default", parameter.usual());
        }
      }
      case TIME -> {
        schema.put("type", "string");
        schema.put("format", "date-time");
      }
      case CHOICE -> {
        schema.put("type", "string");
        schema.put("enum", parameter.choices());
      }
    }
    return schema;
  }

  private static Map<String, Object> problem() {
    Map<String, Object> members = new LinkedHashMap<>();
    for (String member : List.of("type", "title", "detail", "field", "rule", "value")) {
      members.put(member, Map.of("type", "string"));
    }
    members.put("status", Map.of("type", "integer"));
    return Map.of(
        "type",
        "object",
        "properties",
        members,
        "required",
        List.of("type", "title", "status", "detail"));
  }

  private Map<String, Object> reference(Class<?> type) {
    String name = type.getSimpleName();
    Class<?> known = types.putIfAbsent(name, type);
    if (known != null && known != type) {
      throw new IllegalStateException("%s and %s have one name".formatted(known, type));
    }
    if (!schemas.containsKey(name)) {
      // Before its members: one may be of its own type.
      schemas.put(name, Map.of());
      schemas.put(name, members(type));
    }
    return Map.of("$ref", SCHEMAS + name);
  }

  private Map<String, Object> members(Class<?> type) {
    Map<String, Object> members = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      AnnotatedType of = component.getAnnotatedType();
      boolean nullable = of.isAnnotationPresent(Nullable.class);
      Map<String, Object> schema = schema(of, component.getType());
      members.put(
          component.getName(),
          nullable ? Map.of("anyOf", List.of(schema, Map.of("type", "null"))) : schema);
      required.add(component.getName());
    }
    return Map.of("type", "object", "properties", members, "required", required);
  }

  private Map<String, Object> schema(AnnotatedType annotated, Class<?> type) {
    if (type == List.class) {
      AnnotatedType item =
          ((AnnotatedParameterizedType) annotated).getAnnotatedActualTypeArguments()[0];
      return Map.of("type", "array", "items", schema(item, (Class<?>) item.getType()));
    } else if (type.isRecord()) {
      return reference(type);
    } else if (type.isEnum()) {
      return Map.of(
          "type",
          "string",
          "enum",
          Arrays.stream(type.getEnumConstants()).map(Object::toString).toList());
    } else if (type == Instant.class) {
      return Map.of("type", "string", "format", "date-time");
    } else if (type == boolean.class || type == Boolean.class) {
      return Map.of("type", "boolean");
    } else if (type == int.class || type == Integer.class) {
      return Map.of("type", "integer", "format", "int32");
    } else if (type == long.class || type == Long.class) {
      return Map.of("type", "integer", "format", "int64");
    } else if (type == double.class || type == Double.class) {
      return Map.of("type", "number", "format", "double");
    } else if (type == String.class) {
      return Map.of("type", "string");
    }
    throw new IllegalStateException("No schema for " + type);
  }
}
