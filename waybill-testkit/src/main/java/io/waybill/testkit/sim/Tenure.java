package io.waybill.testkit.sim;

/** One relay's time with one session, as the relay itself knows it. */
final class Tenure {
  final String relay;
  final long fence;
  // The process died or was told that it is fenced: what it had not settled is anybody's guess.
  boolean cut;
  // Another relay has ended the session.
  boolean fenced;

  Tenure(String relay, long fence) {
    this.relay = relay;
    this.fence = fence;
  }
}
