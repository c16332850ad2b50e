/** The storage seam: reading, settling and owning rows of an outbox table. */
@NullMarked
package io.waybill.store;

import org.jspecify.annotations.NullMarked;
