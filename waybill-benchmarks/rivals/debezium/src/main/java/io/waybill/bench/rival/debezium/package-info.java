/** Debezium beside Waybill. */
@NullMarked
package io.waybill.bench.rival.debezium;

import org.jspecify.annotations.NullMarked;
