package io.waybill.torture;

import java.util.Locale;

/** What can go wrong. */
enum FaultKind {
  RELAY_KILL(true),
  RELAY_FREEZE(true),
  /** A graceful stop, which is no cause of anything. */
  RELAY_STOP(false),
  DATABASE_KILL(true),
  BROKER_KILL(true),
  BROKER_FREEZE(true),
  BROKER_ALARM(true);

  private final boolean cause;

  FaultKind(boolean cause) {
    this.cause = cause;
  }

  /** Whether it can be the cause of a duplicate, an ERROR line or the end of a relay. */
  boolean isCause() {
    return cause;
  }

  boolean isKill() {
    return this == RELAY_KILL || this == DATABASE_KILL || this == BROKER_KILL;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
