package io.waybill.it;

import org.junit.jupiter.api.Tag;

/** What a relay does with its database does not depend on the broker. */
@Tag("long")
class RabbitRelayFaultTest extends RelayFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }
}
