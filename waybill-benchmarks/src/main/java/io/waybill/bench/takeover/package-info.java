/** How long keys stand still when one of several relays ends, starts or stops. */
@NullMarked
package io.waybill.bench.takeover;

import org.jspecify.annotations.NullMarked;
