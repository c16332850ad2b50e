package io.waybill.kafka;

import java.util.Map;

/** The same in groups of the protocol in which the broker assigns partitions. */
class KafkaConsumerProtocolHistoryTest extends KafkaTopicHistoryTest {
  @Override
  Map<String, String> group() {
    return KafkaContractSource.CONSUMER;
  }
}
