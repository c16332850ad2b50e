package io.waybill.server.command;

import io.waybill.message.Destination;
import io.waybill.server.assemble.Destinations;
import io.waybill.server.config.Closest;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RouteConfig;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of destinations that the routes of an outbox can lead to, as templates. */
final class RoutedNames {
  // A doubled brace is one; a single one begins or ends a field.
  private static final Pattern PIECE = Pattern.compile("\\{\\{|\\}\\}|\\{[^{}]*\\}|[^{}]+");

  private final List<String> templates;

  RoutedNames(OutboxConfig outbox) {
    this.templates =
        Stream.concat(
                Destinations.routes(outbox).map(RoutedNames::name),
                Destinations.deadLetters(outbox).map(Destination::name))
            .filter(name -> !name.isEmpty())
            .distinct()
            .sorted()
            .toList();
  }

  private static String name(RouteConfig route) {
    return route.routingKey().isEmpty()
        ? route.target()
        : route.target() + "/" + route.routingKey();
  }

  /** As they stand in the configuration, with their fields. */
  List<String> templates() {
    return templates;
  }

  /** Whether some event can go there. */
  boolean lead(String name) {
    return templates.stream().anyMatch(template -> pattern(template).matcher(name).matches());
  }

  /** The one that may have been meant. */
  Optional<String> near(String name) {
    return Closest.to(name, templates);
  }

  private static Pattern pattern(String template) {
    StringBuilder pattern = new StringBuilder();
    Matcher piece = PIECE.matcher(template);
    while (piece.find()) {
      String text = piece.group();
      boolean brace = text.equals("{{") || text.equals("}}");
      boolean field = !brace && text.startsWith("{");
      pattern.append(field ? ".+" : Pattern.quote(brace ? text.substring(1) : text));
    }
    return Pattern.compile(pattern.toString(), Pattern.DOTALL);
  }
}
