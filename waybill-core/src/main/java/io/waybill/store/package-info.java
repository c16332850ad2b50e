/** The storage seam: the rows of an outbox table, and the records of an inbox. */
@NullMarked
package io.waybill.store;

import org.jspecify.annotations.NullMarked;
