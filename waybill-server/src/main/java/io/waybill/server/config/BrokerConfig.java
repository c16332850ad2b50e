package io.waybill.server.config;

import io.waybill.message.Transport;
import java.time.Duration;

/** The broker of an outbox. */
public sealed interface BrokerConfig permits KafkaConfig, RabbitConfig {
  /**
   * Longest time between a send and its outcome.
   *
   * @return the bound
   */
  Duration deliveryTimeout();

  /**
   * Which kind it is.
   *
   * @return the kind
   */
  Transport transport();
}
