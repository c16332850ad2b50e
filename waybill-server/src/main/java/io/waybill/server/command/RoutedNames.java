package io.waybill.server.command;

import io.waybill.spring.internal.config.Closest;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of destinations that the routes of an outbox can lead to, as templates. */
final class RoutedNames {
  // A doubled brace is one; a single one begins or ends a field.
  private static final Pattern PIECE = Pattern.compile("\\{\\{|\\}\\}|\\{[^{}]*\\}|[^{}]+");

  private final List<String> templates;

  RoutedNames(StandaloneOutbox outbox) {
    this.templates = outbox.destinations();
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
