/** A notification system's event producer: four queues on RabbitMQ, fed from its own tables. */
@NullMarked
package io.waybill.examples.notification;

import org.jspecify.annotations.NullMarked;
