package io.waybill.internal.jdbc.outbox;

/** The range of the bound on events. */
final class EventBytes {
  private static final int LEAST = 64 << 10;
  private static final int MOST = 256 << 20;

  private EventBytes() {}

  static void check(int maxEventBytes) {
    if (maxEventBytes < LEAST || maxEventBytes > MOST) {
      throw new IllegalArgumentException(
          "maxEventBytes must be from " + LEAST + " to " + MOST + ", is " + maxEventBytes);
    }
  }
}
