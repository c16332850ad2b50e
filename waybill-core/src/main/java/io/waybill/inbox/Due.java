package io.waybill.inbox;

import io.waybill.encode.Decoded;
import io.waybill.store.DeferredEvent;

/**
 * A deferred event that is due and has been decoded again.
 *
 * @param event as the table has it, claimed
 * @param decoded the event, or why there is none any more
 */
public record Due(DeferredEvent event, Decoded decoded) {}
