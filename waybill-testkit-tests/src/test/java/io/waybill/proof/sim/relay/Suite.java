package io.waybill.proof.sim.relay;

import io.waybill.proof.sim.seed.Result;
import io.waybill.proof.sim.seed.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Many seeds on two threads. */
final class Suite {
  final List<Result> results = new ArrayList<>();
  private final Tallies tallies = new Tallies();
  private final AtomicLong next;
  private final long last;

  private Suite(long first, long seeds) {
    this.next = new AtomicLong(first);
    this.last = first + seeds - 1;
  }

  static Suite run(long first, long seeds) throws InterruptedException {
    Suite suite = new Suite(first, seeds);
    List<Thread> threads = List.of(new Thread(suite::work), new Thread(suite::work));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return suite;
  }

  private void work() {
    Tallies mine = new Tallies();
    List<Result> done = new ArrayList<>();
    for (long seed = next.getAndIncrement(); seed <= last; seed = next.getAndIncrement()) {
      done.add(Simulation.run(seed, new Mutation(), false, mine));
    }
    synchronized (this) {
      results.addAll(done);
      tallies.add(mine);
    }
  }

  List<Result> broken() {
    return results.stream().filter(result -> result.violation() != null).toList();
  }

  List<RareState> missedStates() {
    return missed(tallies.states);
  }

  List<Fault> missedFaults() {
    return missed(tallies.faults);
  }

  private static <E extends Enum<E>> List<E> missed(Tally<E> tally) {
    return Arrays.stream(tally.things()).filter(thing -> tally.of(thing) == 0).toList();
  }
}
