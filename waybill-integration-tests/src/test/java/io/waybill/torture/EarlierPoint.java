package io.waybill.torture;

/** A moment that a database can be put back to, as one that lost its last transactions. */
interface EarlierPoint {
  /** Remembers what it has now. */
  void copy() throws InterruptedException;

  /** Lets it go on from there. */
  void putBack() throws InterruptedException;
}
