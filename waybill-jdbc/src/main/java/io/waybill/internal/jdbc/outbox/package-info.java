/** Outbox tables with the parts that relays and operators use. */
@NullMarked
package io.waybill.internal.jdbc.outbox;

import org.jspecify.annotations.NullMarked;
