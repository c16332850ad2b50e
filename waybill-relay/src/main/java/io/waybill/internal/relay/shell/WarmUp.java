package io.waybill.internal.relay.shell;

import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Ticker;
import io.waybill.policy.EngineSettings;
import io.waybill.store.OutboxRow;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay does before it joins. Others give up lanes for it as soon as they see that it has
 * joined, and the keys of those lanes stand still until its first send. So it has read rows,
 * carried them nowhere and settled nothing by then, and lets the compilers finish while others
 * carry the lanes. It may fail: what it calls is called again.
 */
final class WarmUp implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(RelayLog.LOGGER);
  // The second round takes a tenth of the first, and the fourth is as fast as the third.
  private static final int ROUNDS = 3;
  // What takes longer waits for the database, and more rounds would make nothing faster.
  private static final long LIMIT_NANOS = 2_000_000_000L;
  private static final int ROWS = 50;
  // The compilers take so long for what the rounds have called, where all processors are busy.
  private static final long PAUSE_NANOS = 2_000_000_000L;
  private static final long LOOK_NANOS = 50_000_000L;
  private static final long BYTES = 1L << 20;

  private final String relay;
  private final EngineSettings settings;
  private final RelayRules rules;
  private final Stores stores;
  private final Ticker ticker;
  private long start;
  private volatile boolean ended;

  WarmUp(String relay, EngineSettings settings, RelayRules rules, Stores stores, Ticker ticker) {
    this.relay = relay;
    this.settings = settings;
    this.rules = rules;
    this.stores = stores;
    this.ticker = ticker;
  }

  @Override
  public void run() {
    try {
      start = ticker.nanos();
      RelayRules dry = rules.forDryRun(this::inTime);
      for (int i = 0; i < ROUNDS && inTime(); i++) {
        List<OutboxRow> rows = stores.reader().warmUp(ROWS, BYTES);
        new DryRun(settings, dry, rows, ticker.nanos()).run();
        if (inTime()) {
          stores.store().warmUp(rows);
        }
      }
      pause();
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      log.debug(
          "relay {}: its warm-up has failed, and its first events take longer: {}",
          relay,
          ErrorText.of(e));
    }
  }

  /** Nobody waits for this relay as long as others carry the lanes. */
  private void pause() {
    long end = ticker.nanos() + PAUSE_NANOS;
    while (!isEnded() && stores.lanes().warmUp() && ticker.nanos() - end < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private boolean isEnded() {
    return ended || Thread.currentThread().isInterrupted();
  }

  /** The relay is to stop before it has joined. May be called by any thread. */
  void end() {
    ended = true;
  }

  private boolean inTime() {
    return !ended && ticker.nanos() - start < LIMIT_NANOS;
  }
}
