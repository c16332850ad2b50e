/** PolyShop's order service: the documented table {@code outbox_events}, envelopes on Kafka. */
@NullMarked
package io.waybill.examples.services.order;

import org.jspecify.annotations.NullMarked;
