package io.waybill.testkit.explore;

import io.waybill.relay.Effect;

/** A relay's connections to the database: one call at a time on each. */
enum Line {
  LANES,
  READER,
  STORE;

  static Line of(Effect.Call call) {
    if (call instanceof Effect.Settle) {
      return STORE;
    }
    return call instanceof Effect.OnReader ? READER : LANES;
  }
}
