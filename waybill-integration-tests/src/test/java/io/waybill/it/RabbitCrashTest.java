package io.waybill.it;

class RabbitCrashTest extends CrashContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }
}
