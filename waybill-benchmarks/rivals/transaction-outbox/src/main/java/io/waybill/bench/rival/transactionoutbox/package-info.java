/** transaction-outbox beside Waybill. */
@NullMarked
package io.waybill.bench.rival.transactionoutbox;

import org.jspecify.annotations.NullMarked;
