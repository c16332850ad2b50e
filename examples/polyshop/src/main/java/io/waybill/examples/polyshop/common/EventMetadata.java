package io.waybill.examples.polyshop.common;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What of a request goes into the envelope's metadata, beside its trace.
 *
 * @param userId on whose behalf
 * @param correlationId groups what belongs together; made here if the client sends none
 * @param idempotencyKey the client's key of the request, or null for the event id
 */
public record EventMetadata(
    String userId, @Nullable String correlationId, @Nullable String idempotencyKey) {
  /** The header that clients and services pass a correlation id in. */
  public static final String CORRELATION = "X-Correlation-Id";

  /** The header that clients pass an idempotency key in. */
  public static final String IDEMPOTENCY = "Idempotency-Key";

  /** Makes a correlation id if there is none. */
  public EventMetadata {
    correlationId = correlated(correlationId);
  }

  /**
   * The correlation id of a request.
   *
   * @param given what the client has sent, or null
   * @return that, or a new one
   */
  public static String correlated(@Nullable String given) {
    return given == null ? UUID.randomUUID().toString() : given;
  }
}
