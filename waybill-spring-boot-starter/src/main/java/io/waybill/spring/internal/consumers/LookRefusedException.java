package io.waybill.spring.internal.consumers;

import io.waybill.broker.DeadLetterReader;

/** A look at dead letters could lose some of them. */
public final class LookRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LookRefusedException(String hazard) {
    super(hazard);
  }

  /**
   * Refuses a look that could lose letters, as far as is known so far.
   *
   * @param despiteLimit whether somebody wants it all the same
   */
  static void refuse(DeadLetterReader reader, boolean despiteLimit) {
    if (!despiteLimit) {
      reader
          .hazard()
          .ifPresent(
              hazard -> {
                throw new LookRefusedException(hazard);
              });
    }
  }
}
