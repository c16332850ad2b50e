package io.waybill.spring;

import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * An outbox for tests: keeps committed events in memory and publishes nothing. Like the real
 * outbox, it requires a transaction; it drops the events of a rolled-back one. It does not support
 * savepoints. Thread-safe.
 */
public final class InMemoryOutbox implements SpringOutbox {
  private final EventLimits limits = EventLimits.ofDefaults();
  private final List<Event> committed = new CopyOnWriteArrayList<>();

  /** An empty outbox. */
  public InMemoryOutbox() {}

  @Override
  public void append(List<Event> events) {
    RunningTransaction.check();
    events.forEach(limits::check);
    List<Event> copy = new ArrayList<>(events);
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            committed.addAll(copy);
          }
        });
  }

  /**
   * Events of committed transactions.
   *
   * @return events in the order of their commits
   */
  public List<Event> events() {
    return List.copyOf(committed);
  }

  /** Forgets all events. */
  public void clear() {
    committed.clear();
  }
}
