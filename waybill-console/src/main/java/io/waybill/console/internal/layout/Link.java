package io.waybill.console.internal.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/** Addresses of pages, relative to another page of the same outbox. */
public final class Link {
  private Link() {}

  /**
   * The address of a page.
   *
   * @param page path of the page
   * @param parameters names and values in turn; those without a value are left out
   */
  public static String to(String page, @Nullable String... parameters) {
    StringBuilder link = new StringBuilder(page);
    for (int i = 0; i < parameters.length; i += 2) {
      String value = parameters[i + 1];
      if (value != null && !value.isEmpty()) {
        link.append(link.length() == page.length() ? '?' : '&')
            .append(parameters[i])
            .append('=')
            .append(URLEncoder.encode(value, UTF_8));
      }
    }
    return link.toString();
  }
}
