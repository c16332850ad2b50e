package io.waybill.torture;

import java.util.Locale;

/** What the handler of an event does, after it has written its effect. */
enum EventKind {
  /** Nothing more. */
  PLAIN(true, false),
  /** It takes some time. */
  SLOW(true, false),
  /** It fails for some seconds, and can be tried again. */
  SHAKY(true, false),
  /** It fails for good. */
  POISON(false, true),
  /** The same, and the event is large and no text. */
  BULKY(false, true),
  /** It fails for good in versions of the handlers below one. */
  MENDED(true, true);

  private final boolean applied;
  private final boolean dead;

  EventKind(boolean applied, boolean dead) {
    this.applied = applied;
    this.dead = dead;
  }

  /** Whether an effect may come of it. */
  boolean mayBeApplied() {
    return applied;
  }

  /** Whether a dead letter may come of it. */
  boolean mayBeDead() {
    return dead;
  }

  /** Type of its events. */
  String type() {
    return "torture." + name().toLowerCase(Locale.ROOT);
  }

  static EventKind of(String type) {
    return valueOf(type.substring(type.indexOf('.') + 1).toUpperCase(Locale.ROOT));
  }
}
