package io.waybill.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Columns that travel as headers.
 *
 * @param headers column with a JSON object of headers, or null
 * @param correlationId column, or null
 * @param causationId column, or null
 * @param traceparent column of the W3C trace context, or null
 * @param headerColumns further columns, each with the name of its header
 */
public record Context(
    @Nullable String headers,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    Map<String, String> headerColumns) {
  /** None of them. */
  public static final Context NONE = new Context(null, null, null, null, Map.of());

  /** Keeps the order of the columns. */
  public Context {
    headerColumns = Collections.unmodifiableMap(new LinkedHashMap<>(headerColumns));
  }
}
