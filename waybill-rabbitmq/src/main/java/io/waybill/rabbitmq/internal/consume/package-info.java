/** How a subscriber consumes: one connection, and a buffer between the threads. */
@NullMarked
package io.waybill.rabbitmq.internal.consume;

import org.jspecify.annotations.NullMarked;
