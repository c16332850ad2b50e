package io.waybill.testkit;

import io.waybill.message.Header;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message as a consumer found it at the broker.
 *
 * @param key partition key, null when there is none or the broker has no such thing
 * @param body body, null for a tombstone
 * @param timestampMillis creation time in milliseconds since the epoch
 * @param headers headers that {@link io.waybill.broker.Outgoing#headers()} asked for, in order
 */
public record Received(
    byte @Nullable [] key, byte @Nullable [] body, long timestampMillis, List<Header> headers) {}
