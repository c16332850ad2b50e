package io.waybill.spring.internal.destination;

import io.waybill.message.Destination;
import io.waybill.spring.internal.config.Closest;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The destinations that the routes of an outbox can lead to, as templates. */
public final class RoutedNames {
  // A doubled brace is one; a single one begins or ends a field.
  private static final Pattern PIECE = Pattern.compile("\\{\\{|\\}\\}|\\{[^{}]*\\}|[^{}]+|[{}]");

  private final List<Destination> routed;

  /**
   * Those of an outbox.
   *
   * @param routed its destinations, with fields of templates in braces
   */
  public RoutedNames(List<Destination> routed) {
    this.routed = List.copyOf(routed);
  }

  /** Names as they stand in the configuration, with their fields. */
  public List<String> templates() {
    return routed.stream().map(Destination::name).distinct().sorted().toList();
  }

  /** Whether some event can go there. */
  public boolean lead(String name) {
    return templates().stream().anyMatch(template -> matches(template, name));
  }

  /** The refusal of a name to which no route leads; one with a typing error would do nothing. */
  public DestinationNameException stray(String name) {
    List<String> templates = templates();
    return new DestinationNameException(
        "No route leads to '%s'%s: the routes name %s"
            .formatted(
                name,
                Closest.to(name, templates).map(n -> "; did you mean '" + n + "'").orElse(""),
                String.join(", ", templates)));
  }

  /** Each destination once; target and routing key are templates. */
  List<Destination> all() {
    return routed.stream().map(RoutedNames::plain).distinct().toList();
  }

  /** The destination of that name, as {@link #all} has it. */
  Destination named(String name) {
    List<Destination> found =
        all().stream().filter(each -> each.name().equals(name)).collect(Collectors.toList());
    if (found.isEmpty()) {
      // An exchange's name may have a slash, too.
      IntStream.rangeClosed(0, name.length())
          .filter(end -> end == name.length() || name.charAt(end) == '/')
          .mapToObj(end -> split(name, end))
          .filter(this::isLedTo)
          .map(each -> new Destination(escaped(each.target()), escaped(each.routingKey()), null))
          .forEach(found::add);
    }
    if (found.isEmpty()) {
      throw stray(name);
    }
    if (found.size() > 1) {
      throw new DestinationNameException(
          "'%s' has several meanings: %s"
              .formatted(
                  name,
                  found.stream()
                      .map(
                          each ->
                              "exchange '%s' with '%s'".formatted(each.target(), each.routingKey()))
                      .collect(Collectors.joining(", "))));
    }
    return found.get(0);
  }

  private static Destination plain(Destination each) {
    return new Destination(each.target(), each.routingKey(), null);
  }

  private static Destination split(String name, int end) {
    String key = end == name.length() ? "" : name.substring(end + 1);
    return new Destination(name.substring(0, end), key, null);
  }

  private boolean isLedTo(Destination destination) {
    return routed.stream()
        .anyMatch(
            each ->
                matches(each.target(), destination.target())
                    && matches(each.routingKey(), destination.routingKey()));
  }

  /** Whether an event can make that text of the template. */
  static boolean matches(String template, String text) {
    StringBuilder pattern = new StringBuilder();
    pieces(template)
        .forEach(piece -> pattern.append(isField(piece) ? ".+" : Pattern.quote(literal(piece))));
    return Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(text).matches();
  }

  /** Whether the text depends on the event. */
  public static boolean depends(String template) {
    return pieces(template).stream().anyMatch(RoutedNames::isField);
  }

  /** The text of a template that depends on nothing; fields stay as they are. */
  static String text(String template) {
    return pieces(template).stream().map(RoutedNames::literal).collect(Collectors.joining());
  }

  private static String escaped(String text) {
    return text.replace("{", "{{").replace("}", "}}");
  }

  private static List<String> pieces(String template) {
    return PIECE.matcher(template).results().map(MatchResult::group).toList();
  }

  private static boolean isField(String piece) {
    return piece.startsWith("{") && piece.endsWith("}") && piece.length() > 1;
  }

  private static String literal(String piece) {
    return piece.equals("{{") || piece.equals("}}") ? piece.substring(1) : piece;
  }
}
