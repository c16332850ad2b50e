package io.waybill.it;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RabbitBrokerFaultTest extends BrokerFaultContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }

  @Override
  @Tag("long")
  @Test
  void aBrokerOutageOfAMinuteMakesNoEventDead() {
    super.aBrokerOutageOfAMinuteMakesNoEventDead();
  }
}
