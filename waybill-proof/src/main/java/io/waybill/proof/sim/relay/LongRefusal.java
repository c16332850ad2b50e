package io.waybill.proof.sim.relay;

/**
 * Some destinations refuse for long, beside others that answer.
 *
 * @param why what they refuse with
 * @param nanos for how long
 * @param alone whether nothing else goes wrong, so that times can be judged
 */
record LongRefusal(Refusal why, long nanos, boolean alone) {
  /** The relays have their lanes by then. */
  static final long BEGIN = World.seconds(5);

  /** Until then events flow again. */
  static final long FLOWS_WITHIN = World.seconds(5);

  long end() {
    return BEGIN + nanos;
  }

  /** Events are written until then. */
  long load() {
    return end() + FLOWS_WITHIN;
  }
}
