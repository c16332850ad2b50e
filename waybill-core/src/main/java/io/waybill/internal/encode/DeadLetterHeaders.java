package io.waybill.internal.encode;

import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names of the headers that make a dead letter of a message, beside its own. */
final class DeadLetterHeaders {
  static final String REASON = "waybill-dead-reason";
  static final String SOURCE = "waybill-dead-source";
  static final String CONSUMER = "waybill-dead-consumer";
  static final String ERROR = "waybill-dead-error";
  static final String FAILED_AT = "waybill-dead-failed-at";

  /** How the body of a letter is not the usual one: {@link #RAW} or {@link #MISSING}. */
  static final String BODY = "waybill-dead-body";

  static final String RAW = "raw";
  static final String MISSING = "missing";
  static final String CONTENT_TYPE = "content-type";

  /** The letter itself is JSON. */
  static final String ORIGINAL_CONTENT_TYPE = "waybill-original-content-type";

  /** Bytes of an original that begins or ends with white space, which writers of JSON may add. */
  static final String ORIGINAL_LENGTH = "waybill-original-length";

  private static final String DEAD = "waybill-dead-";

  private DeadLetterHeaders() {}

  /** Those of a message as its letter has them, in their order: the letter is JSON. */
  static List<Header> kept(Headers headers) {
    return renamed(headers, CONTENT_TYPE, ORIGINAL_CONTENT_TYPE);
  }

  /** Those that a message had, of the headers of its letter. */
  static Headers restored(Headers headers) {
    return new Headers(renamed(headers, ORIGINAL_CONTENT_TYPE, CONTENT_TYPE));
  }

  /** Those of a message as its letter has them whose body is the message's own, and back. */
  static List<Header> raw(Headers headers) {
    return headers.list().stream().filter(header -> !header.name().startsWith(DEAD)).toList();
  }

  private static List<Header> renamed(Headers headers, String from, String to) {
    List<Header> list = new ArrayList<>();
    for (Header header : headers.list()) {
      if (header.name().equals(from)) {
        list.add(new Header(to, header.value()));
      } else if (!isOfLetter(header.name())) {
        list.add(header);
      }
    }
    return list;
  }

  private static boolean isOfLetter(String name) {
    return name.startsWith(DEAD)
        || name.equals(ORIGINAL_CONTENT_TYPE)
        || name.equals(ORIGINAL_LENGTH)
        || name.equals(CONTENT_TYPE);
  }

  /** The value that is a length, or -1. */
  static int length(@Nullable String value) {
    return value != null && value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : -1;
  }
}
