package io.waybill.it;

import org.junit.jupiter.api.Tag;

/** Every second day torture does to Kafka what these do, and the demo kills its broker. */
@Tag("long")
class KafkaBrokerFaultTest extends BrokerFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }
}
