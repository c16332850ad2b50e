package io.waybill.rabbitmq.internal.send;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the writer does next.
 *
 * @param together sends for the main channel
 * @param alone send for the channel of suspects, or null
 * @param silent sends for the channel of destinations that were silent
 * @param refused sends for the channel of destinations that have refused
 */
record Burst(List<Send> together, @Nullable Send alone, List<Send> silent, List<Send> refused) {
  private static final int MOST = 256;

  /** Nothing to write: a channel has to be opened again first. */
  static final Burst REPAIR = new Burst(List.of(), null, List.of(), List.of());

  /**
   * Takes what may go out now and counts it as outstanding. Guarded by the lock of the publish
   * window.
   */
  static Burst of(Session session, WaitingSends waiting, boolean isStrict) {
    Outstanding main = session.main().outstanding();
    Outstanding alone = session.alone().outstanding();
    List<Send> together = new ArrayList<>();
    int room = isStrict && !alone.isEmpty() ? 0 : Math.min(MOST, session.main().room());
    while (together.size() < room && waiting.hasInnocent()) {
      Send send = waiting.takeInnocent();
      main.add(send);
      together.add(send);
    }
    Send suspect = null;
    boolean isTurn = !isStrict || (main.isEmpty() && !waiting.hasInnocent());
    if (isTurn && alone.isEmpty() && waiting.hasSuspect()) {
      suspect = waiting.takeSuspect();
      alone.add(suspect);
    }
    Outstanding quiet = session.silent().outstanding();
    List<Send> silent = new ArrayList<>(0);
    while (quiet.room() > 0 && waiting.hasSilent()) {
      Send send = waiting.takeSilent();
      quiet.add(send);
      silent.add(send);
    }
    int open = Math.min(MOST, session.refused().room());
    List<Send> refused = new ArrayList<>(0);
    while (refused.size() < open && waiting.hasRefused()) {
      Send send = waiting.takeRefused();
      session.refused().outstanding().add(send);
      refused.add(send);
    }
    return new Burst(together, suspect, silent, refused);
  }

  boolean isEmpty() {
    return together.isEmpty() && alone == null && silent.isEmpty() && refused.isEmpty();
  }
}
