package io.waybill.broker;

/**
 * What became of one send. Exactly one is reported for each accepted send.
 *
 * <p>Only a {@link Rejected} message counts towards the attempt limit; an {@link Unknown} one may
 * have been stored by the broker and is tried again however long it takes.
 */
public sealed interface Confirmation {
  /**
   * The send this is about.
   *
   * @return {@link Outgoing#sendId()}
   */
  long sendId();

  /**
   * The broker has stored a copy of exactly those bytes: acknowledged, not returned, not nacked.
   *
   * @param sendId the send
   */
  record Confirmed(long sendId) implements Confirmation {}

  /**
   * Broker or client definitely refused this message; no copy is stored under this send.
   *
   * @param sendId the send
   * @param reason short machine-readable class, for example {@code record-too-large}
   * @param detail one sentence for an operator, without payload
   */
  record Rejected(long sendId, String reason, String detail) implements Confirmation {}

  /**
   * Nobody can say: timeout, lost connection, closed channel. A copy may exist.
   *
   * @param sendId the send
   * @param reason short machine-readable class, for example {@code delivery-timeout}
   * @param detail one sentence for an operator, without payload
   */
  record Unknown(long sendId, String reason, String detail) implements Confirmation {}
}
