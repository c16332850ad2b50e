package io.waybill.internal.relay;

/** A part of the engine that acts once in each turn, and may want a turn at a certain time. */
interface EnginePart {
  /** Emits what is due by now. */
  void advance();

  /** When it wants a turn if nothing happens: monotonic nanoseconds, Long.MAX_VALUE for never. */
  long deadline();
}
