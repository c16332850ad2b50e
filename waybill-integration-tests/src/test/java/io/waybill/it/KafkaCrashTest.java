package io.waybill.it;

class KafkaCrashTest extends CrashContract {
  @Override
  BrokerUnderTest launchBroker() {
    return new KafkaUnderTest();
  }
}
