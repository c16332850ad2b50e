package io.waybill.bench.refusal;

import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.wire.Inflow;
import java.util.HashSet;
import java.util.Set;

/** What consumers received, events and second arrivals. Thread-safe. */
final class Arrivals {
  private final Set<Long> events = new HashSet<>();
  private long duplicates;

  private synchronized void add(byte[] body) {
    if (!events.add(Ref.find(body))) {
      duplicates++;
    }
  }

  /** How many different events have arrived. */
  synchronized long distinct() {
    return events.size();
  }

  synchronized long duplicates() {
    return duplicates;
  }

  /** Receives on a thread of its own until it is closed. */
  final class Reading implements AutoCloseable {
    private final Inflow inflow;
    private final Thread thread;
    private volatile boolean closed;

    Reading(Inflow inflow) {
      this.inflow = inflow;
      this.thread = new Thread(this::read, "reader");
      thread.setDaemon(true);
      thread.start();
    }

    private void read() {
      while (!closed) {
        inflow.receive(Arrivals.this::add);
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        Pause.untilEnd(thread);
        inflow.close();
      }
    }
  }
}
