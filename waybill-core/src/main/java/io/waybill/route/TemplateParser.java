package io.waybill.route;

import io.waybill.internal.text.Quoted;
import io.waybill.route.Template.FieldPart;
import io.waybill.route.Template.Literal;
import io.waybill.route.Template.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one template; used once. */
final class TemplateParser {
  private final String text;
  private final List<Part> parts = new ArrayList<>();
  private final StringBuilder literal = new StringBuilder();
  private int position;

  TemplateParser(String text) {
    this.text = text;
  }

  List<Part> parse() {
    while (position < text.length()) {
      next();
    }
    if (literal.length() > 0 || parts.isEmpty()) {
      endLiteral();
    }
    return List.copyOf(parts);
  }

  private void next() {
    char c = text.charAt(position);
    if (c != '{' && c != '}') {
      literal.append(c);
      position++;
    } else if (text.startsWith(String.valueOf(c).repeat(2), position)) {
      literal.append(c);
      position += 2;
    } else if (c == '}') {
      throw error("has a closing brace without an opening one at position " + position);
    } else {
      field();
    }
  }

  private void field() {
    int end = text.indexOf('}', position);
    if (end < 0) {
      throw error("has an unclosed brace at position " + position);
    }
    if (literal.length() > 0) {
      endLiteral();
    }
    List<String> words =
        Arrays.stream(text.substring(position + 1, end).split("\\|", -1))
            .map(String::strip)
            .toList();
    Field field = Field.named(words.get(0));
    if (field == null) {
      throw error("names the unknown field " + Quoted.of(words.get(0)) + "; there are " + fields());
    }
    parts.add(new FieldPart(field, words.stream().skip(1).map(this::function).toList()));
    position = end + 1;
  }

  private TextFunction function(String name) {
    return Arrays.stream(TextFunction.values())
        .filter(function -> function.templateName().equals(name))
        .findFirst()
        .orElseThrow(
            () -> error("names the unknown function " + Quoted.of(name) + "; there are " + all()));
  }

  private void endLiteral() {
    parts.add(new Literal(literal.toString()));
    literal.setLength(0);
  }

  private InvalidRouteException error(String rule) {
    return new InvalidRouteException("Template", text, rule);
  }

  private static String fields() {
    return Stream.concat(
            Arrays.stream(Field.RowField.values()).map(Field::templateName),
            Stream.of(Field.HEADER_PREFIX + "<name>"))
        .collect(Collectors.joining(", "));
  }

  private static String all() {
    return Arrays.stream(TextFunction.values())
        .map(TextFunction::templateName)
        .collect(Collectors.joining(", "));
  }
}
