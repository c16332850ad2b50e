package io.waybill.encode;

/**
 * How much of its original a dead letter carries. The first form is the usual one; the others are
 * for brokers that take no message of its size.
 */
public enum LetterForm {
  /** JSON with the original in it, as {@link DeadLetterEncoder} says. */
  JSON,
  /**
   * The original's body as it is, with the fields of the letter as headers: {@code
   * waybill-dead-body: raw}. It takes little more than the original.
   */
  RAW,
  /**
   * JSON without the original, but with its length, its digest and the place where it lies: {@code
   * waybill-dead-body: missing}. It takes at most some 20 KiB.
   */
  WITHOUT_BODY
}
