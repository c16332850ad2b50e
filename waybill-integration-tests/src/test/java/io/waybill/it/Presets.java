package io.waybill.it;

import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;

/** Layouts by their names in the configuration. */
final class Presets {
  private Presets() {}

  static Layout named(String name) {
    return switch (name) {
      case "notification" -> Layouts.NOTIFICATION;
      case "event-outbox" -> Layouts.EVENT_OUTBOX;
      case "wallet" -> Layouts.WALLET;
      case "polyshop" -> Layouts.POLYSHOP;
      default -> throw new IllegalArgumentException(name);
    };
  }
}
