/** transaction-outbox in order beside Waybill. */
@NullMarked
package io.waybill.bench.rival.transactionoutboxordered;

import org.jspecify.annotations.NullMarked;
