package io.waybill.spring.internal.api;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of one question, which are checked. Used by one thread. */
final class Call {
  // Databases and their clocks end somewhere.
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private static final int LONGEST_NAME = 255;

  private final Operation operation;
  private final String caller;
  private final Map<String, List<String>> given;
  private final BrokerAccess broker;
  private final Doctor doctor;

  Call(
      Operation operation,
      String caller,
      Map<String, List<String>> given,
      BrokerAccess broker,
      Doctor doctor) {
    this.operation = operation;
    this.caller = caller;
    if (caller.length() > LONGEST_NAME) {
      throw ApiProblem.invalid("user", "must have at most 255 characters", caller);
    }
    this.given = given;
    this.broker = broker;
    this.doctor = doctor;
    String known =
        operation.parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
    for (Map.Entry<String, List<String>> each : given.entrySet()) {
      Parameter parameter = operation.parameter(each.getKey());
      if (parameter == null) {
        throw ApiProblem.unknown(each.getKey(), known);
      }
      check(parameter, each.getValue());
    }
    for (Parameter parameter : operation.parameters()) {
      if (parameter.required() && text(parameter.name()) == null) {
        throw ApiProblem.invalid(parameter.name(), "must be given", "");
      }
    }
  }

  private static void check(Parameter parameter, List<String> values) {
    boolean several = parameter.kind() == Parameter.Kind.TEXTS;
    if (values.size() > (several ? parameter.most() : 1)) {
      String rule = several ? String.valueOf(parameter.rule()) : "may be given once";
      throw ApiProblem.invalid(parameter.name(), rule, values.size() + " times");
    }
    for (String value : values) {
      String shown = parameter.kind() == Parameter.Kind.CONTENT ? "" : value;
      // No database takes it.
      if (value.indexOf('\0') >= 0) {
        throw ApiProblem.invalid(parameter.name(), "must not have the character U+0000", shown);
      }
      if (!isWhole(value)) {
        throw ApiProblem.invalid(parameter.name(), "must have no half of a character", "");
      }
      if (!fits(parameter, value)) {
        throw ApiProblem.invalid(parameter.name(), String.valueOf(parameter.rule()), shown);
      }
    }
  }

  private static boolean isWhole(String value) {
    return value
        .codePoints()
        .noneMatch(each -> each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE);
  }

  private static boolean fits(Parameter parameter, String value) {
    return switch (parameter.kind()) {
      case TEXT, CONTENT -> value.length() <= parameter.most();
      case TEXTS -> true;
      case NUMBER -> {
        Long number = number(value);
        yield number != null && number >= parameter.least() && number <= parameter.most();
      }
      case TIME -> instant(value) != null;
      case CHOICE -> parameter.choices().contains(value.toLowerCase(Locale.ROOT));
    };
  }

  private static @Nullable Long number(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Instant instant(String text) {
    try {
      Instant time = Instant.parse(text);
      return time.isBefore(FIRST) || time.isAfter(LAST) ? null : time;
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** Who asks. */
  String caller() {
    return caller;
  }

  BrokerAccess broker() {
    return broker;
  }

  Doctor doctor() {
    return doctor;
  }

  @Nullable String text(String name) {
    List<String> values = texts(name);
    return values.isEmpty() ? null : values.get(0);
  }

  List<String> texts(String name) {
    return given.getOrDefault(name, List.of());
  }

  /** As given, or what is usual. */
  int numberOf(String name) {
    return Objects.requireNonNull(numberIfAny(name));
  }

  /** As given, else what is usual, if anything is. */
  @Nullable Integer numberIfAny(String name) {
    String value = text(name);
    return value == null
        ? Objects.requireNonNull(operation.parameter(name)).usual()
        : Integer.valueOf(value);
  }

  @Nullable Instant time(String name) {
    String value = text(name);
    return value == null ? null : Instant.parse(value);
  }

  <E extends Enum<E>> @Nullable E choice(String name, Class<E> type) {
    String value = text(name);
    return value == null
        ? null
        : Enum.valueOf(type, value.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT));
  }
}
