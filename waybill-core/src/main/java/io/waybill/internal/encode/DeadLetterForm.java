package io.waybill.internal.encode;

/**
 * How much of its original a dead letter carries. The first form is the usual one; the others are
 * for brokers that accept no message of its size.
 */
public enum DeadLetterForm {
  /** JSON with the original in it, as {@link DeadLetterEncoder} says. */
  JSON,
  /**
   * The original's body unchanged, with the fields of the dead letter as headers: {@code
   * waybill-dead-body: raw}. It is little larger than the original.
   */
  RAW,
  /**
   * JSON without the original, but with its length, digest and position: {@code waybill-dead-body:
   * missing}. It is at most about 20 KiB.
   */
  WITHOUT_BODY
}
