/** Mistakes that outboxes are known for, switched on one at a time in the relays of a torture. */
@NullMarked
package io.waybill.torture.planted;

import org.jspecify.annotations.NullMarked;
