package io.waybill.server.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where spans go.
 *
 * @param endpoint base URL of a receiver of OTLP over HTTP, or null for no spans
 */
public record TracingConfig(@Nullable String endpoint) {
  private static final int MOST_PORT = 65_535;
  private static final String RULE =
      "must be an http or https URL without user, query and fragment";
  private static final Pattern URL =
      Pattern.compile("https?://([\\w.-]+|\\[[0-9a-fA-F:.]+])(:[0-9]{1,5})?(/[^\\s@?#]{0,400})?");

  static TracingConfig read(Section section) {
    String endpoint = null;
    if (section.has("endpoint")) {
      endpoint = section.required("endpoint", URL, RULE);
      if (!endpoint.isEmpty() && !isUrl(endpoint)) {
        section.problem("endpoint", RULE);
      }
    }
    section.done();
    return new TracingConfig(endpoint);
  }

  private static boolean isUrl(String text) {
    try {
      return new URI(text).getPort() <= MOST_PORT;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
