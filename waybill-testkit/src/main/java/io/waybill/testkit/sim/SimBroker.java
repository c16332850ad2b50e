package io.waybill.testkit.sim;

import java.util.Set;
import java.util.TreeSet;

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
  final Set<String> refusing = new TreeSet<>();
  private double refusesDeadLetters;

  SimBroker(Swarm swarm) {
    this.faults = swarm.broker;
    this.refusesDeadLetters = swarm.poison.deadLetterRefused();
  }

  Health health(String destination) {
    if (!up || silent.contains(destination)) {
      return Health.SILENT;
    }
    return refusing.contains(destination) ? Health.REFUSES : Health.TAKES;
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
