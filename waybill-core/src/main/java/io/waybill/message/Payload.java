package io.waybill.message;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of an event: bytes that Waybill carries unchanged. The array is not copied; don't
 * change it afterwards.
 *
 * @param bytes the bytes, possibly none; null for a tombstone, which reaches the broker as a null
 *     body in every format
 * @param contentType media type, for example {@code application/json}
 */
public record Payload(byte @Nullable [] bytes, String contentType) {
  /** Media type of JSON text. */
  public static final String JSON = "application/json";

  /** Media type of bytes without a description. */
  public static final String BYTES = "application/octet-stream";

  /** Checks that a content type is given. */
  public Payload {
    Objects.requireNonNull(contentType, "contentType");
  }

  /**
   * JSON text, encoded as UTF-8. Formats that need well-formed JSON check for it. It is also
   * checked before the insert if {@link EventLimits#jsonChecked()} is on.
   *
   * @param text the text, carried character by character
   * @return the payload
   * @throws InvalidEventException if the text has a lone surrogate, which has no UTF-8 form
   */
  public static Payload json(String text) {
    return new Payload(StrictUtf8.encode("payload", text), JSON);
  }

  /**
   * Bytes of any kind.
   *
   * @param bytes the bytes
   * @param contentType media type
   * @return the payload
   */
  public static Payload of(byte[] bytes, String contentType) {
    return new Payload(Objects.requireNonNull(bytes, "bytes"), contentType);
  }

  /**
   * No payload: on a compacted topic it removes the key.
   *
   * @return the payload without bytes
   */
  public static Payload tombstone() {
    return new Payload(null, BYTES);
  }
}
