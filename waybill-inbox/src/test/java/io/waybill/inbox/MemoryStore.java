package io.waybill.inbox;

import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import io.waybill.store.RefusedDataException;
import io.waybill.store.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Inbox tables in memory, for tests of what stands around them. */
public final class MemoryStore implements InboxStore {
  public final Set<String> processed = ConcurrentHashMap.newKeySet();
  public final AtomicInteger aborted = new AtomicInteger();
  public final AtomicInteger committed = new AtomicInteger();
  public final AtomicInteger purged = new AtomicInteger();
  public final Set<Duration> claims = ConcurrentHashMap.newKeySet();
  public final Set<Duration> windows = ConcurrentHashMap.newKeySet();
  public volatile boolean down;
  public final AtomicReference<@Nullable Throwable> nextCommit = new AtomicReference<>();

  /** What the driver throws at the next look, and at the next rollback. */
  public final AtomicReference<@Nullable Error> nextLook = new AtomicReference<>();

  public final AtomicReference<@Nullable Error> nextRollback = new AtomicReference<>();

  /** Transactions that were begun and have not ended. */
  public final AtomicInteger open = new AtomicInteger();

  /** Events that are too large for the table of deferred events. */
  public final Set<String> tooLarge = ConcurrentHashMap.newKeySet();

  public volatile boolean closed;
  private final Map<String, DeferredEvent> deferred = new LinkedHashMap<>();

  @Override
  public String consumer() {
    return "test";
  }

  @Override
  public void open() {
    answer();
  }

  @Override
  public InboxTransaction begin() {
    answer();
    open.incrementAndGet();
    return new Transaction();
  }

  @Override
  public synchronized List<DeferredEvent> due(String owner, Duration claim, int limit) {
    answer();
    claims.add(claim);
    List<DeferredEvent> due = List.copyOf(deferred.values());
    deferred.clear();
    return due;
  }

  @Override
  public void release(String owner) {}

  @Override
  public synchronized long deferred() {
    return deferred.size();
  }

  @Override
  public int purge(Duration age, int limit) {
    purged.incrementAndGet();
    windows.add(age);
    return 0;
  }

  @Override
  public void close() {
    closed = true;
  }

  private void answer() {
    if (down) {
      throw new StoreException("the test says no", new SQLException(), true);
    }
  }

  private static void throwNext(AtomicReference<@Nullable Error> next) {
    Error error = next.getAndSet(null);
    if (error != null) {
      throw error;
    }
  }

  private synchronized void put(DeferredEvent event) {
    deferred.put(event.dedupeKey().eventId(), event);
  }

  /** What it has seen counts from its commit on. */
  private final class Transaction implements InboxTransaction {
    private final List<String> seen = new ArrayList<>();
    private final List<DeferredEvent> put = new ArrayList<>();
    private volatile boolean cut;

    @Override
    public Connection connection() {
      return (Connection)
          Proxy.newProxyInstance(
              MemoryStore.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, args) -> {
                throw new SQLException("no database here");
              });
    }

    @Override
    public List<DedupeResult> markSeen(List<DedupeKey> dedupeKeys) {
      answer();
      throwNext(nextLook);
      List<DedupeResult> dedupeResults = new ArrayList<>();
      for (DedupeKey dedupeKey : dedupeKeys) {
        dedupeResults.add(markSeen(dedupeKey.eventId()));
      }
      return dedupeResults;
    }

    private DedupeResult markSeen(String id) {
      if (processed.contains(id) || seen.contains(id)) {
        return new DedupeResult.Seen(Duration.ofSeconds(1));
      }
      seen.add(id);
      return new DedupeResult.Fresh();
    }

    @Override
    public boolean handled(List<DedupeKey> dedupeKeys) {
      return false;
    }

    @Override
    public void takeBack(List<DedupeKey> dedupeKeys) {
      dedupeKeys.forEach(dedupeKey -> seen.remove(dedupeKey.eventId()));
    }

    @Override
    public DedupeResult markSeen(DeferredEvent event, String owner) {
      answer();
      return markSeen(event.dedupeKey().eventId());
    }

    @Override
    public DedupeResult noteDead(DedupeKey event) {
      answer();
      return markSeen(event.eventId());
    }

    @Override
    public boolean defer(DeferredEvent event) {
      if (tooLarge.contains(event.dedupeKey().eventId())) {
        throw new RefusedDataException("too large for the test", new SQLException());
      }
      return put.add(event);
    }

    @Override
    public boolean deferAgain(DeferredEvent event, String owner) {
      return put.add(event);
    }

    @Override
    public void forget(DeferredEvent event) {}

    @Override
    public Map<String, Integer> openStarts(List<String> eventIds) {
      return Map.of();
    }

    @Override
    public void started(List<String> eventIds) {}

    @Override
    public void ended(List<String> eventIds) {}

    @Override
    public void forgetStarts(List<String> eventIds) {}

    @Override
    public void commit() {
      answer();
      if (cut) {
        throw new StoreException("connection was cut", new SQLException(), true);
      }
      Throwable refused = nextCommit.getAndSet(null);
      if (refused != null) {
        throw new RefusedCommitException(refused);
      }
      committed.incrementAndGet();
      processed.addAll(seen);
      put.forEach(MemoryStore.this::put);
    }

    @Override
    public void rollback() {
      throwNext(nextRollback);
    }

    @Override
    public void abort() {
      cut = true;
      aborted.incrementAndGet();
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}
