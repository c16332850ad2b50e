package io.waybill.proof.sim.relay;

import io.waybill.store.Session;

/** One relay's time with one session, as the relay itself knows it. */
final class Tenure {
  final String relay;
  // As it joined.
  final Session session;
  // Number of the last renewal that was answered.
  long renewals;
  // The process died or was told that it is fenced: what it had not settled is anybody's guess.
  boolean cut;
  // Another relay has ended the session.
  boolean fenced;

  Tenure(String relay, Session session) {
    this.relay = relay;
    this.session = session;
  }

  /** With the renewals that were answered. */
  Session known() {
    return new Session(session.fence(), relay, session.history(), session.joinedMicros(), renewals);
  }

  long fence() {
    return session.fence();
  }

  /** Number of the session, which no other has: fences are given out again. */
  long number() {
    return session.joinedMicros();
  }
}
