package io.waybill.internal.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes items from any thread to one thread that takes them in batches. A put never blocks for
 * longer than another put; only the first item of a batch wakes the taker.
 *
 * @param <T> type of the items
 */
public final class Mailbox<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private List<T> items = new ArrayList<>();
  private boolean waiting;

  /** An empty mailbox. */
  public Mailbox() {}

  /**
   * Adds an item.
   *
   * @param item the item
   */
  public void put(T item) {
    lock.lock();
    try {
      items.add(item);
      if (waiting) {
        waiting = false;
        arrived.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The number of waiting items.
   *
   * @return number of items that a take would return
   */
  public int size() {
    lock.lock();
    try {
      return items.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes all items, waiting for the first one if there is none.
   *
   * @param timeoutNanos longest wait; 0 or less for none
   * @return the items in the order of their arrival, empty after the timeout
   * @throws InterruptedException if interrupted while waiting
   */
  public List<T> take(long timeoutNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (items.isEmpty() && timeoutNanos > 0) {
        await(timeoutNanos);
      }
      if (items.isEmpty()) {
        return List.of();
      }
      List<T> taken = items;
      items = new ArrayList<>(Math.min(taken.size(), 1024));
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void await(long timeoutNanos) throws InterruptedException {
    waiting = true;
    try {
      long left = timeoutNanos;
      while (items.isEmpty() && left > 0) {
        left = arrived.awaitNanos(Math.min(left, TimeUnit.HOURS.toNanos(1)));
      }
    } finally {
      waiting = false;
    }
  }
}
