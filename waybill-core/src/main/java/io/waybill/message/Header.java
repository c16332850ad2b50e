package io.waybill.message;

import java.util.Objects;

/**
 * One message header.
 *
 * @param name header name
 * @param value header value, sent as UTF-8
 */
public record Header(String name, String value) {
  /** Checks that both parts are given. */
  public Header {
    Objects.requireNonNull(name, "header name");
    Objects.requireNonNull(value, "header value");
  }
}
