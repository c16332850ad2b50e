package io.waybill.kafka;

import io.waybill.broker.Confirmation;
import io.waybill.kafka.internal.Refusal;

/** Interprets failures of Kafka's client, for publishers that use it through a library. */
public final class KafkaFailures {
  private KafkaFailures() {}

  /**
   * Judges a failed send.
   *
   * @param sendId the send
   * @param failure what the client threw or gave to its callback
   * @return rejected if no copy can have been stored, else unknown
   */
  public static Confirmation outcome(long sendId, Exception failure) {
    return Refusal.of(failure).outcome(sendId);
  }
}
