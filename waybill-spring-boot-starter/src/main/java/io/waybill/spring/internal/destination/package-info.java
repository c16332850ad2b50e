/**
 * The destinations of the routes of an outbox, by their names, and what they lack at the broker.
 */
@NullMarked
package io.waybill.spring.internal.destination;

import org.jspecify.annotations.NullMarked;
