package io.waybill.route;

import io.waybill.message.Headers;
import io.waybill.store.OutboxRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Text with fields in braces, for example {@code notification.{aggregateType|lower}}. Immutable and
 * thread-safe.
 *
 * <p>Fields: {@code eventId}, {@code eventType}, {@code eventVersion}, {@code aggregateType},
 * {@code aggregateId}, {@code contentType}, {@code correlationId}, {@code causationId}, {@code
 * header.<name>}. Functions, any number after a field, each behind a bar: {@code lower}, {@code
 * upper}, {@code kebab}, {@code snake}. A literal brace is written twice.
 */
public final class Template {
  private final String source;
  private final List<Part> parts;

  private Template(String source, List<Part> parts) {
    this.source = source;
    this.parts = parts;
  }

  /**
   * Parses a template.
   *
   * @param text the template's text
   * @return the template
   * @throws InvalidRouteException if a brace is unclosed or a field or function unknown
   */
  public static Template parse(String text) {
    return new Template(text, new TemplateParser(text).parse());
  }

  /** The text of the template. */
  @Override
  public String toString() {
    return source;
  }

  /**
   * Fills in the fields.
   *
   * @param row the row
   * @param headers its headers
   * @return the text, or null if the row lacks a field
   */
  public @Nullable String render(OutboxRow row, Headers headers) {
    if (parts.size() == 1) {
      return parts.get(0).of(row, headers);
    }
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      String value = part.of(row, headers);
      if (value == null) {
        return null;
      }
      text.append(value);
    }
    return text.toString();
  }

  /**
   * Names the first field that the row lacks.
   *
   * @param row the row
   * @param headers its headers
   * @return name of the field
   */
  public String missing(OutboxRow row, Headers headers) {
    for (Part part : parts) {
      if (part instanceof FieldPart field && field.of(row, headers) == null) {
        return field.field().templateName();
      }
    }
    return "nothing";
  }

  /**
   * Whether the text follows from event type and aggregate type alone.
   *
   * @return true if rows of the same types have the same text
   */
  public boolean perType() {
    return parts.stream()
        .allMatch(part -> !(part instanceof FieldPart field) || field.field().perType());
  }

  /** A piece of a template. */
  sealed interface Part {
    @Nullable String of(OutboxRow row, Headers headers);
  }

  /** Text that stays. */
  record Literal(String text) implements Part {
    @Override
    public String of(OutboxRow row, Headers headers) {
      return text;
    }
  }

  /** A field and what is done to it. */
  record FieldPart(Field field, List<TextFunction> functions) implements Part {
    @Override
    public @Nullable String of(OutboxRow row, Headers headers) {
      String value = field.of(row, headers);
      if (value == null || functions.isEmpty()) {
        return value;
      }
      for (TextFunction function : functions) {
        value = function.apply(value);
      }
      return value;
    }
  }
}
