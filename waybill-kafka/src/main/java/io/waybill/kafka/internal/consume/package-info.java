/** How a subscriber reads: partitions, positions and what is out. */
@NullMarked
package io.waybill.kafka.internal.consume;

import org.jspecify.annotations.NullMarked;
