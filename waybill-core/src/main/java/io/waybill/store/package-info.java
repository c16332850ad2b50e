/** The storage seam: the rows of an outbox table, and what an inbox remembers. */
@NullMarked
package io.waybill.store;

import org.jspecify.annotations.NullMarked;
