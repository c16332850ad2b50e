package io.waybill.proof.explore;

/** A broken promise. */
final class Broken extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String promise;

  Broken(String promise, String detail) {
    super(promise + ": " + detail);
    this.promise = promise;
  }

  String promise() {
    return promise;
  }
}
