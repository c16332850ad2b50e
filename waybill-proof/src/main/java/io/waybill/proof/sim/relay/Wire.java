package io.waybill.proof.sim.relay;

import java.util.ArrayDeque;

/**
 * The sockets of one process. A frozen process writes and reads nothing; what it was about to do
 * happens when it runs again.
 */
final class Wire {
  private final World world;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean frozen;

  Wire(World world) {
    this.world = world;
  }

  void freeze() {
    frozen = true;
  }

  void thaw() {
    frozen = false;
    while (!waiting.isEmpty()) {
      world.time.after(world.dice.micros(0, 500), waiting.poll());
    }
  }

  /** Returns false if the action may run now; otherwise it will when the process runs again. */
  boolean holdsBack(Runnable action) {
    if (frozen) {
      waiting.add(action);
    }
    return frozen;
  }
}
