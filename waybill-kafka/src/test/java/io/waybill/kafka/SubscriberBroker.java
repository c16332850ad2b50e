package io.waybill.kafka;

import io.waybill.proof.server.KafkaServer;

/** One broker for the tests of subscribers; it ends with the JVM. */
public final class SubscriberBroker {
  public static final KafkaServer SERVER =
      KafkaServer.launch("PLAINTEXT", KafkaContractSource.SHORT_SESSIONS);

  private SubscriberBroker() {}
}
