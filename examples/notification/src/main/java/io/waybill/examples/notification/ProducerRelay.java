package io.waybill.examples.notification;

import io.waybill.Preset;
import io.waybill.Waybill;
import io.waybill.rabbitmq.RabbitBroker;

/** The event outbox producer: what polls {@code event_outbox} and publishes. */
final class ProducerRelay {
  private ProducerRelay() {}

  /** Polls once a second by default, 100 events at a time, as the layout has it. */
  static Waybill start(String name, Servers servers) {
    return Waybill.relay(name)
        .outbox(servers.database())
        .preset(Preset.NOTIFICATION)
        .broker(RabbitBroker.at(servers.broker()))
        .start();
  }
}
