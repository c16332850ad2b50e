package io.waybill.spring.cloudstream;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks of one name one after the other, and those of different names beside each other. */
final class Lanes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  private final Map<String, Queue<Runnable>> busy = new HashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "waybill-cloud-stream");
            thread.setDaemon(true);
            return thread;
          });

  /** Returns at once; a closed one does nothing. */
  synchronized void run(String name, Runnable task) {
    if (threads.isShutdown()) {
      return;
    }
    Queue<Runnable> waiting = busy.get(name);
    if (waiting == null) {
      Queue<Runnable> started = new ArrayDeque<>();
      started.add(task);
      busy.put(name, started);
      threads.execute(() -> drain(name, started));
    } else {
      waiting.add(task);
    }
  }

  private void drain(String name, Queue<Runnable> waiting) {
    for (Runnable next = next(name, waiting); next != null; next = next(name, waiting)) {
      run(next);
    }
  }

  // What a task throws must not end those that wait behind it.
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A send failed in an unknown way; those behind it go on", e);
    }
  }

  private synchronized @Nullable Runnable next(String name, Queue<Runnable> waiting) {
    Runnable next = waiting.poll();
    if (next == null) {
      busy.remove(name);
    }
    return next;
  }

  /** Interrupts what runs; what waits is dropped. */
  @Override
  public synchronized void close() {
    threads.shutdownNow();
    busy.values().forEach(Queue::clear);
  }
}
