package io.waybill.testkit.sim;

import static io.waybill.testkit.sim.Dice.MS;

import io.waybill.broker.Confirmation;
import java.util.ArrayDeque;

/** What both flavours of publisher have in common: one per relay process. */
abstract class SimPublisher {
  final World world;
  final SimRelay relay;
  // A frozen process writes nothing to its sockets; what it was about to write goes out later.
  private final ArrayDeque<Runnable> frozen = new ArrayDeque<>();
  private boolean isFrozen;
  boolean dead;

  SimPublisher(World world, SimRelay relay) {
    this.world = world;
    this.relay = relay;
  }

  abstract void send(SimSend send);

  /** Ends a burst of sends. */
  void flush() {}

  /** The connection is gone: everything outstanding becomes unknown. */
  abstract void close(String reason);

  /** The process is gone; what is on the wire may still land. */
  abstract void die();

  final void freeze() {
    isFrozen = true;
  }

  final void thaw() {
    isFrozen = false;
    while (!frozen.isEmpty()) {
      world.time.after(world.dice.micros(0, 500), frozen.poll());
    }
  }

  /** Runs now, or when the process runs again. */
  final boolean waitsForThaw(Runnable action) {
    if (isFrozen && !dead) {
      frozen.add(action);
      return true;
    }
    return false;
  }

  final void store(SimSend send) {
    world.seen.stored(send, world.takenOver(send));
  }

  final boolean loses(SimSend send) {
    return world.dice.chance(world.broker.faults().lost());
  }

  /** Whether the broker refuses this message now. */
  final boolean refuses(SimSend send, SimBroker.Health health) {
    if (send.deadLetter && world.dice.chance(world.broker.refusesDeadLetters())) {
      send.row.deadLetterRefused = true;
      return true;
    }
    return health == SimBroker.Health.REFUSES
        || (send.row.poison && !send.deadLetter)
        || world.dice.chance(world.broker.faults().refused());
  }

  final Confirmation.Unknown unknown(SimSend send, String reason) {
    return new Confirmation.Unknown(send.message.sendId(), reason, "simulated");
  }

  final void report(SimSend send, Confirmation confirmation) {
    if (send.reported) {
      throw new IllegalStateException("reported twice: " + send);
    }
    send.reported = true;
    if (confirmation instanceof Confirmation.Rejected && !dead) {
      send.row.rejections++;
    }
    if (!dead) {
      relay.onOutcome(send, confirmation);
    }
  }

  final long deliveryTimeout() {
    return Swarm.DELIVERY_TIMEOUT.toMillis() * MS;
  }
}
