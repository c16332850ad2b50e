package io.waybill.bench.stage;

import io.waybill.bench.measure.Settings;
import java.nio.file.Path;

/** Who takes part in a measurement, each in a process of its own with the same heap. */
public interface Contender {
  /** Name in reports. */
  String label();

  /** The table that the stage fills for it; {@code NONE} if it fills its own. */
  Candidate.Table table();

  /** Whether it keeps what is published. */
  default boolean keeps() {
    return false;
  }

  /** Whether what it does arrives at the broker. */
  boolean publishes();

  /** Fills the tables that the stage does not know, in a process of its own. */
  default void prepare(Settings settings, Path log) {}

  /** Whether events are written in the relay's process when they are written while it runs. */
  boolean writesItself();

  /** Starts its process. */
  Child start(Settings settings, int heapMb, Path log);
}
