package io.waybill.examples.services.notification;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Refuses requests, each with its field and the rule that it breaks. */
final class BadRequests {
  private BadRequests() {}

  static <T> T given(String name, @Nullable T value) {
    if (value == null) {
      throw refused(name + " must be given");
    }
    return value;
  }

  static ResponseStatusException refused(String reason) {
    return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
  }
}
