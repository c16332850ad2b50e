package io.waybill.kafka;

import io.waybill.proof.server.KafkaServer;

/** One broker for the tests of subscribers; it ends with the JVM. */
final class SubscriberBroker {
  static final KafkaServer SERVER =
      KafkaServer.launch("PLAINTEXT", KafkaContractSource.SHORT_SESSIONS);

  private SubscriberBroker() {}
}
