package io.waybill.message;

/** The kinds of broker. */
public enum Transport {
  /** Apache Kafka. */
  KAFKA,
  /** RabbitMQ over AMQP 0-9-1. */
  RABBITMQ
}
