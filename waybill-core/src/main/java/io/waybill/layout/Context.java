package io.waybill.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The columns that become headers.
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
  /** No such columns. */
  public static final Context NONE = new Context(null, null, null, null, Map.of());

  /** Copies the columns in their order. */
  public Context {
    headerColumns = Collections.unmodifiableMap(new LinkedHashMap<>(headerColumns));
  }
}
