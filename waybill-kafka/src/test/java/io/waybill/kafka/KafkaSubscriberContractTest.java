package io.waybill.kafka;

import io.waybill.testkit.ContractSource;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.SubscriberContract;
import io.waybill.testkit.proxy.Proxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaSubscriberContractTest extends SubscriberContract {
  private static KafkaServer server;
  private static Proxy proxy;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch("PLAINTEXT", KafkaContractSource.SHORT_SESSIONS);
    proxy = KafkaContractSource.proxy(server);
  }

  @AfterAll
  static void close() {
    proxy.close();
    server.close();
  }

  @Override
  protected ContractSource source() {
    return new KafkaContractSource(server, proxy);
  }
}
