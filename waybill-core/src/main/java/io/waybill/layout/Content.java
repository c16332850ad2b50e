package io.waybill.layout;

import org.jspecify.annotations.Nullable;

/**
 * Where the message is.
 *
 * @param payload payload column
 * @param kind its type
 * @param contentTypeColumn column of the media type, or null for the same in every row
 * @param contentType media type of rows without one
 * @param context columns that become headers
 */
public record Content(
    String payload,
    PayloadKind kind,
    @Nullable String contentTypeColumn,
    String contentType,
    Context context) {}
