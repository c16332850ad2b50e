package io.waybill.torture;

import java.util.Locale;

/** What the processes of a run do. */
enum Role {
  RELAY,
  CONSUMER;

  /** The name of a process, from its number, from 0. */
  String name(int process) {
    return label() + "-" + (process + 1);
  }

  /** All processes of the role. */
  String all() {
    return label() + "s";
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
