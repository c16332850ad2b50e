package io.waybill.kafka.internal;

/** What a failure of Kafka's client says, which hides the reason in the deepest of its causes. */
public final class DeepestCause {
  private DeepestCause() {}

  /**
   * What a failure says, with the deepest cause where the client hides it: "SSL handshake failed"
   * and "Failed to create new KafkaAdminClient" say nothing of what to do.
   */
  public static String text(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    return deepest == failure ? failure.toString() : failure + ": " + deepest;
  }
}
