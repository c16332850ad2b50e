package io.waybill.spring.internal.consumers;

/** A look at dead letters could lose some of them. */
public final class LookRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LookRefusedException(String hazard) {
    super(hazard);
  }
}
