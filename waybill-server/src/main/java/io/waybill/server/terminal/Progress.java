package io.waybill.server.terminal;

import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Tells on standard error how far something is: on a terminal in one line that is drawn anew, else
 * in a line every few seconds. A short wait writes nothing.
 */
public final class Progress implements AutoCloseable {
  private static final String CLEAR = "\r\u001b[K";
  private static final long DRAWN_MILLIS = 500;
  private static final long LINE_MILLIS = 5_000;

  private final PrintWriter err;
  private final boolean draws;
  private final Source source;
  private final ScheduledExecutorService ticker;
  private boolean drawn;

  /** Says how far it is, in a few words; called by a separate thread. */
  public interface Source {
    /** How far it is. */
    String text();
  }

  Progress(PrintWriter err, boolean draws, Source source) {
    this(err, draws, source, draws ? DRAWN_MILLIS : LINE_MILLIS);
  }

  Progress(PrintWriter err, boolean draws, Source source, long millis) {
    this.err = err;
    this.draws = draws;
    this.source = source;
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "waybill-progress");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused =
        ticker.scheduleAtFixedRate(this::tell, millis, millis, TimeUnit.MILLISECONDS);
  }

  private synchronized void tell() {
    if (ticker.isShutdown()) {
      return;
    }
    if (draws) {
      err.print(CLEAR + source.text());
      err.flush();
      drawn = true;
    } else {
      err.println(source.text());
    }
  }

  @Override
  public synchronized void close() {
    ticker.shutdownNow();
    if (drawn) {
      err.print(CLEAR);
      err.flush();
    }
  }
}
