/** Broker clients without Waybill: the yardsticks' senders and the verifier's receiver. */
@NullMarked
package io.waybill.bench.wire;

import org.jspecify.annotations.NullMarked;
