package io.waybill.message;

/**
 * Turns an object into a payload.
 *
 * @param <T> type of the objects
 */
@FunctionalInterface
public interface PayloadSerializer<T> {
  /**
   * Serialises one object. Exceptions reach the caller of {@link Event.Builder#payload(Object,
   * PayloadSerializer)}, inside the business transaction.
   *
   * @param value the object
   * @return its bytes and their media type
   */
  Payload serialize(T value);
}
