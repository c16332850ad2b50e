package io.waybill.it;

import org.junit.jupiter.api.Tag;

@Tag("long")
class KafkaRelayFaultTest extends RelayFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }
}
