/** Publisher, topology and start-up checks for RabbitMQ, on amqp-client. */
@NullMarked
package io.waybill.rabbitmq;

import org.jspecify.annotations.NullMarked;
