package io.waybill.spring.cloudstream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of threads, each of which runs its tasks one after the other. All tasks of one
 * name are on the same thread. A thread that has nothing to do ends after a minute.
 */
final class Lanes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  private final List<ThreadPoolExecutor> threads = new ArrayList<>();

  Lanes(int number) {
    for (int i = 0; i < number; i++) {
      ThreadPoolExecutor thread =
          new ThreadPoolExecutor(
              1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), Lanes::thread);
      thread.allowCoreThreadTimeOut(true);
      threads.add(thread);
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "waybill-cloud-stream");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns at once; a closed one does nothing. */
  synchronized void run(String name, Runnable task) {
    ThreadPoolExecutor lane = threads.get(Math.floorMod(name.hashCode(), threads.size()));
    if (!lane.isShutdown()) {
      lane.execute(() -> run(task));
    }
  }

  // What a task throws must not end those that wait behind it.
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A send failed unexpectedly; the sends behind it continue", e);
    }
  }

  /** Interrupts what runs; what waits is dropped. */
  @Override
  public synchronized void close() {
    threads.forEach(ThreadPoolExecutor::shutdownNow);
  }
}
