/** A wallet service with JPA whose table {@code outbox} Waybill publishes. */
@NullMarked
package io.waybill.examples.services.wallet;

import org.jspecify.annotations.NullMarked;
