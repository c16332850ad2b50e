package io.waybill.bench.child;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Business transactions of one event each, at a steady rate, by several threads. The keys are
 * divided among the threads, so that the positions of a key are committed in order. Commits are
 * stamped when they return; those of the warm-up are not.
 */
public final class SteadyLoad {
  private final Settings settings;
  private final Stamps stamps = new Stamps();
  private final List<byte[]> templates = Payloads.templates();
  private final int threads;
  private final AtomicLong committed = new AtomicLong();

  /**
   * A load of a size.
   *
   * @param settings number of {@code events}, {@code warm} and {@code keys}, {@code threads}, their
   *     {@code interval} in nanoseconds and the file of {@code commits}
   */
  public SteadyLoad(Settings settings) {
    this.settings = settings;
    this.threads = (int) settings.number("threads");
  }

  /** What one thread writes with. */
  public interface Append extends AutoCloseable {
    /**
     * Commits a transaction that writes one event.
     *
     * @param key key of the event
     * @param body payload
     * @throws Exception when it was not committed
     */
    void append(String key, byte[] body) throws Exception;

    /** Called after the commit was stamped. */
    default void committed() {}

    @Override
    default void close() throws SQLException {}
  }

  /** Opens what a thread writes with. */
  @FunctionalInterface
  public interface Source {
    /**
     * For one thread.
     *
     * @return closed by the thread
     * @throws Exception when it cannot be opened
     */
    Append open() throws Exception;
  }

  /**
   * Writes everything and the file of stamps.
   *
   * @param source what to write with
   * @throws Exception when an event could not be written
   */
  public void run(Source source) throws Exception {
    run(source, () -> false);
  }

  /** The same until it is stopped. */
  void run(Source source, BooleanSupplier stopped) throws Exception {
    long start = System.nanoTime();
    Crew.run(threads, thread -> write(source, thread, start, stopped));
    stamps.write(Path.of(settings.text("commits")));
  }

  /** Events that are committed. */
  long count() {
    return committed.get();
  }

  private void write(Source source, int thread, long start, BooleanSupplier stopped)
      throws Exception {
    long events = settings.number("events") / threads;
    long warm = settings.number("warm") / threads;
    int keys = Math.max(1, (int) settings.number("keys") / threads);
    Pace pace = new Pace(start, settings.number("interval") * threads);
    try (Append append = source.open()) {
      for (long i = 0; i < events && !stopped.getAsBoolean(); i++) {
        pace.awaitNext();
        int key = thread + threads * (int) (i % keys);
        long ref = Ref.of(key, i / keys);
        byte[] body = templates.get((int) (i % templates.size())).clone();
        Ref.put(body, ref);
        append.append(Integer.toString(key), body);
        if (i >= warm) {
          stamps.stamp(ref);
        }
        committed.incrementAndGet();
        append.committed();
      }
    }
  }
}
