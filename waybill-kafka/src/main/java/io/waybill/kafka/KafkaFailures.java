package io.waybill.kafka;

import io.waybill.broker.Confirmation;

/** Interprets failures of Kafka's client, for publishers that use it through a library. */
public final class KafkaFailures {
  private KafkaFailures() {}

  /**
   * What a failure says, with the deepest cause where the client hides it: "SSL handshake failed"
   * and "Failed to create new KafkaAdminClient" tell nobody what to do.
   */
  static String text(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    return deepest == failure ? failure.toString() : failure + ": " + deepest;
  }

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
