package io.waybill.proof.explore;

import io.waybill.internal.relay.Effect;
import java.util.List;

/** A relay's connections to the database: one call at a time on each. */
enum Line {
  LANES(0),
  READER(1),
  STORE(2);

  private static final List<Line> ALL = List.of(values());

  /** Its place among the calls of a relay. */
  final int slot;

  Line(int slot) {
    this.slot = slot;
  }

  static Line at(int slot) {
    return ALL.get(slot);
  }

  static Line of(Effect.Call call) {
    if (call instanceof Effect.Settle) {
      return STORE;
    }
    return call instanceof Effect.OnReader ? READER : LANES;
  }
}
