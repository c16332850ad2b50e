package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks an outbox, with connections that are kept for who asks again soon. Thread-safe. */
final class AdminPool implements AutoCloseable {
  private static final int MOST_IDLE = 2;
  private static final long LONGEST_IDLE_NANOS = Duration.ofSeconds(30).toNanos();

  private final Supplier<Admin> opens;
  // The last one that was used comes first.
  private final Deque<Idle> idle = new ArrayDeque<>();
  private boolean closed;

  private record Idle(Admin admin, long since) {}

  AdminPool(Supplier<Admin> opens) {
    this.opens = opens;
  }

  <T> T ask(Function<Admin, T> question) {
    Admin kept = take();
    Admin admin = kept == null ? opens.get() : kept;
    boolean broken = false;
    try {
      return question.apply(admin);
    } catch (StoreException e) {
      broken = true;
      throw e;
    } finally {
      if (broken || !keep(admin)) {
        admin.close();
      }
    }
  }

  private synchronized @Nullable Admin take() {
    Idle last = idle.pollFirst();
    return last == null ? null : last.admin();
  }

  private synchronized boolean keep(Admin admin) {
    if (closed || idle.size() >= MOST_IDLE) {
      return false;
    }
    idle.addFirst(new Idle(admin, System.nanoTime()));
    return true;
  }

  /** Closes those that have not been used for a while; to be called now and then. */
  void closeIdle() {
    List<Admin> old = new ArrayList<>();
    synchronized (this) {
      long now = System.nanoTime();
      while (!idle.isEmpty() && (closed || now - idle.getLast().since() > LONGEST_IDLE_NANOS)) {
        old.add(idle.removeLast().admin());
      }
    }
    old.forEach(Admin::close);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    closeIdle();
  }
}
