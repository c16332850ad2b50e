package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
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

  private record Idle(Admin admin, long since) {}

  AdminPool(Supplier<Admin> opens) {
    this.opens = opens;
  }

  <T> T ask(Function<Admin, T> question) {
    Admin kept = take();
    Admin admin = kept == null ? opens.get() : kept;
    boolean answered = false;
    try {
      T answer = question.apply(admin);
      answered = true;
      return answer;
    } finally {
      if (!answered || !keep(admin)) {
        admin.close();
      }
    }
  }

  private synchronized @Nullable Admin take() {
    long now = System.nanoTime();
    while (!idle.isEmpty() && now - idle.getLast().since() > LONGEST_IDLE_NANOS) {
      idle.removeLast().admin().close();
    }
    Idle last = idle.pollFirst();
    return last == null ? null : last.admin();
  }

  private synchronized boolean keep(Admin admin) {
    if (idle.size() >= MOST_IDLE) {
      return false;
    }
    idle.addFirst(new Idle(admin, System.nanoTime()));
    return true;
  }

  @Override
  public synchronized void close() {
    idle.forEach(each -> each.admin().close());
    idle.clear();
  }
}
