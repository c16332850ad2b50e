package io.waybill.proof.proxy;

/** Where bytes are going. */
public enum Direction {
  /** What the client sends. */
  TO_SERVER,
  /** What the server answers. */
  TO_CLIENT
}
