/** namastack-outbox beside Waybill. */
@NullMarked
package io.waybill.bench.rival.namastack;

import org.jspecify.annotations.NullMarked;
