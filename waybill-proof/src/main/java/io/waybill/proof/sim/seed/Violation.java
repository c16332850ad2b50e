package io.waybill.proof.sim.seed;

/** A broken promise; ends the run. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String check;

  /**
   * A broken promise.
   *
   * @param check its name
   * @param detail what broke it
   */
  public Violation(String check, String detail) {
    super(check + ": " + detail);
    this.check = check;
  }

  /** Name of the promise. */
  public String check() {
    return check;
  }
}
