package io.waybill.proof.sim.relay;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The brokers' state: what is down, what refuses, and how often single sends go wrong. */
final class SimBroker {
  enum Health {
    TAKES,
    SILENT,
    REFUSES
  }

  private final Swarm.BrokerFaults honest = new Swarm.BrokerFaults(0, 0, 0, 0, false, false, false);
  private Swarm.BrokerFaults faults;
  private boolean up = true;
  final Set<String> silent = new TreeSet<>();
  private final Map<String, Refusal> refusing = new TreeMap<>();
  private double refusesDeadLetters;

  SimBroker(Swarm swarm) {
    this.faults = swarm.broker;
    this.refusesDeadLetters = swarm.poison.deadLetterRefused();
  }

  Health health(String destination) {
    if (!up || silent.contains(destination)) {
      return Health.SILENT;
    }
    return refusing.containsKey(destination) ? Health.REFUSES : Health.TAKES;
  }

  /** Why the destination refuses, null if it does not. */
  @Nullable Refusal refusal(String destination) {
    return refusing.get(destination);
  }

  void refuse(String destination, Refusal why) {
    refusing.put(destination, why);
  }

  void repair(String destination) {
    silent.remove(destination);
    refusing.remove(destination);
  }

  Swarm.BrokerFaults faults() {
    return faults;
  }

  double refusesDeadLetters() {
    return refusesDeadLetters;
  }

  boolean up() {
    return up;
  }

  void setUp(boolean up) {
    this.up = up;
  }

  void heal() {
    up = true;
    silent.clear();
    refusing.clear();
    faults = honest;
    refusesDeadLetters = 0;
  }
}
