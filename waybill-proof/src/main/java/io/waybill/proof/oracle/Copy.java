package io.waybill.proof.oracle;

/**
 * One delivered copy of an event, as a consumer that knows nothing of Waybill saw it.
 *
 * @param eventId event id
 * @param key ordering key
 * @param sequence number of the event within its key, from 1, as the business row has it
 * @param sha256 hash of what was delivered, hexadecimal
 * @param atMillis when it reached the broker, or this consumer if the broker does not say, in
 *     milliseconds since the epoch; 0 if nobody asked
 */
public record Copy(String eventId, String key, long sequence, String sha256, long atMillis) {
  /**
   * A copy whose time does not matter.
   *
   * @param eventId event id
   * @param key ordering key
   * @param sequence number within its key
   * @param sha256 hash of what was delivered
   */
  public Copy(String eventId, String key, long sequence, String sha256) {
    this(eventId, key, sequence, sha256, 0);
  }
}
