package io.waybill.kafka;

import io.waybill.proof.proxy.Proxy;
import io.waybill.testkit.ContractSource;
import io.waybill.testkit.SubscriberContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** In groups of the protocol in which the broker assigns partitions. */
@Tag("server")
@Tag("long")
class KafkaConsumerProtocolContractTest extends SubscriberContract {
  private static Proxy proxy;

  @BeforeAll
  static void launch() {
    proxy = KafkaContractSource.proxy(SubscriberBroker.SERVER);
  }

  @AfterAll
  static void close() {
    proxy.close();
  }

  @Override
  protected ContractSource source() {
    return new KafkaContractSource(SubscriberBroker.SERVER, proxy, KafkaContractSource.CONSUMER);
  }
}
