package io.waybill.it;

import org.junit.jupiter.api.Tag;

/** Every second day torture does to RabbitMQ what these do. */
@Tag("long")
class RabbitBrokerFaultTest extends BrokerFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }
}
