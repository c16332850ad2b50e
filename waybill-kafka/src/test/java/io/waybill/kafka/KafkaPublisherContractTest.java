package io.waybill.kafka;

import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.ContractBroker;
import io.waybill.testkit.PublisherContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaPublisherContractTest extends PublisherContract {
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Override
  protected ContractBroker broker() {
    return new KafkaContractBroker(server);
  }
}
