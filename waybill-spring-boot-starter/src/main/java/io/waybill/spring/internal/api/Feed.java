package io.waybill.spring.internal.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What changes, read once for all who listen. Thread-safe. */
public final class Feed implements AutoCloseable {
  /** As many listen to all outboxes of a process at a time; more are refused. */
  static final int MOST_LISTENERS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final long BETWEEN = TimeUnit.SECONDS.toNanos(2);

  private final Supplier<?> look;
  private final Semaphore room;
  private final ScheduledExecutorService looks;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private @Nullable ScheduledFuture<?> looking;
  // Of the last look, while somebody listens.
  private @Nullable Object last;
  private long next = System.nanoTime();
  private boolean closed;

  /**
   * Reads nothing while nobody listens.
   *
   * @param look reads how everything stands
   * @param room a permit for each who listens
   */
  Feed(Supplier<?> look, Semaphore room, ThreadFactory threads) {
    this.look = look;
    this.room = room;
    this.looks = Executors.newSingleThreadScheduledExecutor(threads);
  }

  /**
   * Begins to answer a request by server-sent events.
   *
   * @param news what one who listens has not been told yet, as events, or nothing: of what a look
   *     has found, or of an {@link ApiProblem}
   * @param request the request
   * @param response its answer
   * @throws ApiProblem if there is no place
   * @throws IOException if it is gone
   */
  public void listen(
      Function<Object, String> news, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Listener.start(this, news, request, response);
  }

  /** Refuses one more than there is room for; {@link #leave} gives the place back. */
  synchronized void enter() {
    if (closed || !room.tryAcquire()) {
      throw ApiProblem.busy();
    }
  }

  /** Somebody who has entered begins to listen. */
  void begin(Listener listener) {
    listeners.add(listener);
    if (!isLooking(listener)) {
      listener.end();
    }
  }

  private synchronized boolean isLooking(Listener first) {
    if (closed) {
      return false;
    }
    if (looking == null) {
      long wait = Math.max(0, next - System.nanoTime());
      looking = looks.scheduleWithFixedDelay(this::tell, wait, BETWEEN, TimeUnit.NANOSECONDS);
    } else if (last != null) {
      Object said = last;
      looks.execute(() -> first.tell(said));
    }
    return true;
  }

  /** Somebody listens no more; called once for each who has entered. */
  void leave() {
    room.release();
  }

  private void tell() {
    if (isSilent()) {
      return;
    }
    Object said;
    try {
      said = look.get();
    } catch (ApiProblem problem) {
      said = problem;
    } catch (RuntimeException e) {
      LOG.error("The stream of an outbox could not be read; it is read again", e);
      said = ApiProblem.internal();
    }
    Object news = said;
    remember(news);
    listeners.removeIf(each -> !each.tell(news));
  }

  /** Nobody listens: the next who does begins anew, and no earlier than it would have been. */
  private synchronized boolean isSilent() {
    boolean silent = listeners.isEmpty();
    if (silent && looking != null) {
      looking.cancel(false);
      looking = null;
      last = null;
    }
    if (!silent) {
      next = System.nanoTime() + BETWEEN;
    }
    return silent;
  }

  private synchronized void remember(Object said) {
    last = said;
  }

  /** Ends all streams, and refuses others. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    looks.shutdownNow();
    listeners.forEach(Listener::end);
  }
}
