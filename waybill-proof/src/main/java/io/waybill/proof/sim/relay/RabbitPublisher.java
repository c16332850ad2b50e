package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Confirmation;
import io.waybill.proof.sim.seed.Violation;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One send per key at a time; answers are returns, acks and nacks, and channels die. A destination
 * that closed the channel of others has one of its own until it takes something. Those that did not
 * answer in time share one until they answer.
 */
final class RabbitPublisher extends SimPublisher {
  private static final class Channel {
    // Destinations that closed it while messages of others were on it.
    final Set<String> closers = new HashSet<>();
  }

  /** Time limits are looked at so often. */
  private static final long TICK = 100 * MS;

  private final Map<SimSend, Channel> outstanding = new LinkedHashMap<>();
  private final Set<String> suspects = new HashSet<>();
  private final Set<String> silent = new HashSet<>();
  private final Channel main = new Channel();
  private final Channel ofSilent = new Channel();
  // Stands for those of one destination each.
  private final Channel own = new Channel();

  RabbitPublisher(World world, SimRelay relay) {
    super(world, relay);
  }

  @Override
  void send(SimSend send) {
    outstanding.put(send, channelOf(send.destination()));
    world.time.after(world.dice.micros(100, 3_000), () -> arrive(send));
    long limit = world.time.now() + deliveryTimeout();
    world.time.at(
        limit + TICK - limit % TICK,
        () -> {
          if (!send.reported && !dead) {
            send.killed |= world.dice.chance(0.5);
            forget(send.destination());
            silent.add(send.destination());
            settle(send, lost(send, "confirm-timeout"));
          }
        });
  }

  private Channel channelOf(String destination) {
    if (silent.contains(destination)) {
      return ofSilent;
    }
    return suspects.contains(destination) ? own : main;
  }

  private void settle(SimSend send, Confirmation confirmation) {
    outstanding.remove(send);
    report(send, confirmation);
  }

  private void answered(SimSend send) {
    silent.remove(send.destination());
    forget(send.destination());
  }

  /** It may close a channel of others once more. */
  private void forget(String destination) {
    main.closers.remove(destination);
    ofSilent.closers.remove(destination);
  }

  private void arrive(SimSend send) {
    if (send.killed || send.stored || waitsForThaw(() -> arrive(send))) {
      return;
    }
    if (world.broker.health(send.destination()) == SimBroker.Health.SILENT) {
      world.time.after(world.dice.millis(20, 200), () -> arrive(send));
      return;
    }
    if (!send.reported && rejects(send)) {
      reject(send);
      return;
    }
    Refusal why = send.reported ? null : refusal(send);
    if (why != null) {
      refuse(send, why);
    } else if (loses(send)) {
      send.killed = true;
    } else if (happens(world.broker.faults().late(), Fault.SEND_LATE)) {
      world.time.after(world.dice.millis(500, 5_000), () -> arrive(send));
    } else {
      store(send);
      if (send.reported
          && !world.mutation.keeps(Rule.CONFIRMS_BY_MESSAGE)
          && !outstanding.isEmpty()) {
        SimSend other = outstanding.keySet().iterator().next();
        settle(other, new Confirmation.Confirmed(other.message.sendId()));
      }
      if (!losesConfirmation()) {
        world.time.after(world.dice.micros(100, 5_000), () -> acknowledge(send));
      }
    }
  }

  private void acknowledge(SimSend send) {
    if (!send.reported && !waitsForThaw(() -> acknowledge(send))) {
      if (send.returned) {
        world.seen.rare(RareState.RETURNED_THEN_ACKED);
      }
      if (!send.returned) {
        suspects.remove(send.destination());
      }
      answered(send);
      settle(
          send,
          send.returned && world.mutation.keeps(Rule.HEEDS_RETURNS)
              ? unroutable(send)
              : new Confirmation.Confirmed(send.message.sendId()));
    }
  }

  /** The outcome when no acknowledgement comes: a return alone is definite. */
  private Confirmation lost(SimSend send, String reason) {
    if (send.returned) {
      world.seen.rare(RareState.RETURNED_THEN_LOST);
      return unroutable(send);
    }
    return unknown(send, reason);
  }

  private Confirmation unroutable(SimSend send) {
    return refused(send, Refusal.UNROUTABLE, false);
  }

  /** The message closes its channel, or the client does not take it. */
  private void reject(SimSend send) {
    send.killed = true;
    Channel channel = Objects.requireNonNull(outstanding.get(send));
    settle(send, new Confirmation.Rejected(send.message.sendId(), "refused", "simulated"));
    if (send.row.poison && world.dice.chance(0.5)) {
      close(on(channel), "channel-closed");
    }
  }

  private void refuse(SimSend send, Refusal why) {
    if (why == Refusal.NACK && world.dice.chance(0.5)) {
      world.seen.rare(RareState.REFUSED_WITH_A_COPY);
      store(send);
    } else {
      send.killed = true;
    }
    if (why == Refusal.UNROUTABLE) {
      world.time.after(world.dice.micros(100, 2_000), () -> returned(send));
      return;
    }
    Channel channel = Objects.requireNonNull(outstanding.get(send));
    // A nack does not tell what other queues have.
    settle(send, refused(send, why, !why.closesChannel()));
    if (!why.closesChannel()) {
      answered(send);
    } else if (channel == own) {
      world.seen.rare(RareState.SUSPECT_REFUSED);
    } else {
      closedBy(send.destination(), channel);
    }
  }

  /** What was on the channel as well goes alone when it is sent again. */
  private void closedBy(String destination, Channel channel) {
    List<SimSend> others = on(channel);
    if (others.stream().anyMatch(send -> !send.destination().equals(destination))) {
      if (channel == ofSilent) {
        world.seen.rare(RareState.SILENT_CHANNEL_CLOSED);
      }
      if (!channel.closers.add(destination)) {
        throw new Violation(
            "one destination's trouble stays its own",
            destination + " closed a channel of others again: " + others);
      }
    }
    suspects.add(destination);
    if (channel == ofSilent && world.mutation.keeps(Rule.PARTS_WHAT_CLOSED_A_CHANNEL)) {
      silent.remove(destination);
      others.forEach(send -> suspects.add(send.destination()));
      others.forEach(send -> silent.remove(send.destination()));
    }
    close(others, "channel-closed");
  }

  private List<SimSend> on(Channel channel) {
    return outstanding.keySet().stream().filter(send -> outstanding.get(send) == channel).toList();
  }

  /** The return comes first, then the acknowledgement. */
  private void returned(SimSend send) {
    if (!send.reported && !waitsForThaw(() -> returned(send))) {
      send.returned = true;
      if (world.closesAfterReturn()) {
        world.seen.fault(Fault.CONNECTION_LOST);
        close("connection-reset");
      } else {
        world.time.after(world.dice.micros(10, 1_000), () -> acknowledge(send));
      }
    }
  }

  @Override
  void close(String reason) {
    close(List.copyOf(outstanding.keySet()), reason);
  }

  private void close(List<SimSend> sends, String reason) {
    for (SimSend send : sends) {
      world.seen.rare(RareState.INNOCENTS_UNKNOWN);
      send.killed |= !send.stored && world.dice.chance(0.5);
      settle(send, lost(send, reason));
    }
  }

  @Override
  void die() {
    dead = true;
    for (SimSend send : outstanding.keySet()) {
      send.killed |= world.dice.chance(0.5);
    }
  }
}
