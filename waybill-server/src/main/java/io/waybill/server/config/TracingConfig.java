package io.waybill.server.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where spans go.
 *
 * @param endpoint base URL of a receiver of OTLP over HTTP, or null for no spans
 */
public record TracingConfig(@Nullable String endpoint) {
  private static final Pattern URL = Pattern.compile("https?://[^\\s@?#]{1,500}");

  static TracingConfig read(Section section) {
    String endpoint =
        section.has("endpoint")
            ? section.required(
                "endpoint", URL, "must be an http or https URL without user, query and fragment")
            : null;
    section.done();
    return new TracingConfig(endpoint);
  }
}
