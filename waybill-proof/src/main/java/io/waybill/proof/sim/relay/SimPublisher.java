package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Confirmation;
import org.jspecify.annotations.Nullable;

/** What both flavours of publisher have in common: one per relay process. */
abstract class SimPublisher {
  final World world;
  final SimRelay relay;
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

  final boolean waitsForThaw(Runnable action) {
    return !dead && relay.wire().holdsBack(action);
  }

  final void store(SimSend send) {
    world.seen.stored(send, world.takenOver(send), !isOver(send));
  }

  /** Whether the broker deletes the message at once, because the time that it carries is over. */
  boolean isOver(SimSend send) {
    return false;
  }

  final boolean loses(SimSend send) {
    return happens(world.broker.faults().lost(), Fault.SEND_LOST);
  }

  final boolean losesConfirmation() {
    boolean lost = happens(world.broker.faults().confirmLost(), Fault.CONFIRM_LOST);
    if (lost) {
      world.seen.rare(RareState.CONFIRM_LOST);
    }
    return lost;
  }

  final boolean happens(double probability, Fault fault) {
    boolean happens = world.dice.chance(probability);
    if (happens) {
      world.seen.fault(fault);
    }
    return happens;
  }

  /** Whether the broker refuses this message, wherever it goes. */
  final boolean rejects(SimSend send) {
    if (send.deadLetter && world.dice.chance(world.broker.refusesDeadLetters())) {
      send.row.deadLetterRefused = true;
      return true;
    }
    return (send.row.poison && !send.deadLetter)
        || happens(world.broker.faults().refused() / 2, Fault.SEND_REFUSED);
  }

  /** Why the destination refuses what comes now, null if it does not. */
  final @Nullable Refusal refusal(SimSend send) {
    Refusal lasting = world.broker.refusal(send.destination());
    if (lasting == null && happens(world.broker.faults().refused() / 2, Fault.SEND_REFUSED)) {
      return world.dice.pick(Refusal.of(world.swarm.kafka));
    }
    return lasting;
  }

  final Confirmation.Refused refused(SimSend send, Refusal why, boolean copyPossible) {
    return new Confirmation.Refused(send.message.sendId(), why.reason, "simulated", copyPossible);
  }

  final Confirmation.Unknown unknown(SimSend send, String reason) {
    return new Confirmation.Unknown(send.message.sendId(), reason, "simulated");
  }

  final void report(SimSend send, Confirmation confirmation) {
    if (send.reported) {
      throw new IllegalStateException("reported twice: " + send);
    }
    send.reported = true;
    send.answer = confirmation;
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
