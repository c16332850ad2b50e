package io.waybill.internal.inbox;

import io.waybill.internal.encode.Decoded;
import io.waybill.store.DeferredEvent;

/**
 * A deferred event that is due and has been decoded again.
 *
 * @param event the claimed event, as in the table
 * @param decoded the event, or why it can no longer be decoded
 */
public record DueMessage(DeferredEvent event, Decoded decoded) {}
