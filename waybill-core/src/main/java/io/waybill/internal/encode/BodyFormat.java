package io.waybill.internal.encode;

import io.waybill.message.Headers;
import io.waybill.store.OutboxRow;

/** Makes the body of one format. */
@FunctionalInterface
interface BodyFormat {
  Body body(OutboxRow row, Headers headers);
}
