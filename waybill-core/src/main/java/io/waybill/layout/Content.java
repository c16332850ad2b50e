package io.waybill.layout;

import org.jspecify.annotations.Nullable;

/**
 * The columns of the message.
 *
 * @param payload payload column
 * @param kind its type
 * @param contentTypeColumn column of the media type, or null if it is the same in every row
 * @param contentType media type of rows without one
 * @param context columns that become headers
 */
public record Content(
    String payload,
    PayloadKind kind,
    @Nullable String contentTypeColumn,
    String contentType,
    Context context) {}
