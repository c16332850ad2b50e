package io.waybill.kafka;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The same in groups of the protocol in which the broker assigns partitions. */
@Tag("long")
class KafkaConsumerProtocolHistoryTest extends KafkaTopicHistoryTest {
  @Override
  Map<String, String> group() {
    return KafkaContractSource.CONSUMER;
  }
}
