package io.waybill.proof.sim.inbox;

import io.waybill.handler.Registration;
import io.waybill.internal.inbox.Handlers;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.proof.sim.seed.Scheduler;
import io.waybill.proof.sim.seed.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Everything that exists in one run of inboxes. */
final class InboxWorld {
  final Scheduler time = new Scheduler();
  final Dice dice;
  final InboxSwarm swarm;
  final InboxMutation mutation;
  final Trace trace;
  final InboxTallies tallies = new InboxTallies();
  final InboxLedger ledger;
  final InboxTables tables;
  final InboxStandby standby;
  final Handlers handlers;
  final List<InboxMessage> messages = new ArrayList<>();
  final List<InboxLane> lanes = new ArrayList<>();
  private final Map<String, InboxMessage> byId = new HashMap<>();
  private final Map<InboxTables.Id, InboxMessage> redriven = new HashMap<>();
  final List<String> consumers;
  private final List<InboxProcess> processes = new ArrayList<>();
  private boolean healed;
  private int started;
  private long revocations;

  InboxWorld(long seed, InboxMutation mutation, boolean tracing) {
    this.dice = new Dice(seed);
    this.swarm = new InboxSwarm(dice);
    this.mutation = mutation;
    this.trace = new Trace(time, tracing);
    this.ledger = new InboxLedger(swarm);
    this.tables = new InboxTables(this);
    this.standby = new InboxStandby(this, seed);
    this.consumers = swarm.consumers == 1 ? List.of("stock") : List.of("stock", "mail");
    this.handlers =
        new Handlers(
            List.of(
                new Registration(InboxMessage.SINGLE, Registration.ANY_VERSION, 1, (e, c) -> {}),
                new Registration(InboxMessage.BATCHED, Registration.ANY_VERSION, 5, (e, c) -> {})),
            swarm.unknownTypes);
  }

  void rare(InboxRare state) {
    tallies.states.count(state);
  }

  void fault(InboxFault fault) {
    tallies.faults.count(fault);
    trace.mix(fault.name().hashCode(), 7);
    trace.line(() -> "fault " + fault);
  }

  InboxMessage message(String eventId, String consumer) {
    InboxMessage copy = redriven.get(new InboxTables.Id(consumer, eventId));
    return copy == null ? Objects.requireNonNull(byId.get(producersId(eventId)), eventId) : copy;
  }

  /** Also of what an inbox takes for sent again and is not. */
  private static String producersId(String eventId) {
    int blank = eventId.indexOf(' ');
    return blank < 0 ? eventId : eventId.substring(0, blank);
  }

  void add(InboxMessage message) {
    messages.add(message);
    byId.put(message.id(), message);
  }

  /** An operator sends a letter again as soon as it is there. */
  void redrive(String consumer, InboxMessage message) {
    InboxMessage copy = message.redriven(messages.size(), consumer);
    if (redriven.putIfAbsent(new InboxTables.Id(consumer, copy.id()), copy) == null) {
      rare(InboxRare.REDRIVEN);
      messages.add(copy);
      if (message.cause != null || messages.stream().anyMatch(m -> m.cause == message)) {
        rare(InboxRare.REDRIVEN_BESIDE_DERIVED);
      }
      lanes.stream()
          .filter(lane -> lane.name.equals("lane-" + copy.lane))
          .filter(lane -> !swarm.alone || lane.consumer.equals(consumer))
          .forEach(lane -> lane.append(copy));
    }
  }

  long nextRevocation() {
    return ++revocations;
  }

  boolean healed() {
    return healed;
  }

  /** Whether something goes wrong now. */
  boolean strikes(double probability) {
    return !healed && dice.chance(probability);
  }

  List<InboxProcess> processes() {
    return processes;
  }

  /** A member of a group that can take a lane; null if there is none. */
  @Nullable InboxProcess anyMember(String consumer) {
    List<InboxProcess> members =
        processes.stream().filter(p -> p.consumer.equals(consumer) && p.takesLanes()).toList();
    return members.isEmpty() ? null : dice.pick(members);
  }

  /** Replaces processes that have died or stopped. */
  void restartMissing() {
    processes.removeIf(process -> !process.runs());
    for (String consumer : consumers) {
      long there = processes.stream().filter(p -> p.consumer.equals(consumer)).count();
      for (long i = there; i < swarm.processes; i++) {
        InboxProcess process = new InboxProcess(this, consumer, consumer + "-" + ++started);
        processes.add(process);
        trace.line(() -> process.name + " starts");
        process.start();
      }
    }
  }

  void heal() {
    trace.line(() -> "healed");
    healed = true;
    tables.setUp(true);
    processes.forEach(InboxProcess::thaw);
  }
}
