/** A wallet service over the table {@code outbox} that it has today, with Waybill as its worker. */
@NullMarked
package io.waybill.examples.wallet;

import org.jspecify.annotations.NullMarked;
