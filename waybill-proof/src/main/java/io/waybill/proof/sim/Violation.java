package io.waybill.proof.sim;

/** A broken promise; ends the run. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String check;

  Violation(String check, String detail) {
    super(check + ": " + detail);
    this.check = check;
  }

  String check() {
    return check;
  }
}
