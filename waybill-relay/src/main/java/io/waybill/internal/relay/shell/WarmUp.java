package io.waybill.internal.relay.shell;

import io.waybill.internal.relay.RelayEngine;
import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Ticker;
import io.waybill.store.OutboxReader;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay does before it joins. Others give up lanes for it as soon as they see that it has
 * joined, and the keys of those lanes stand still until its first send. So it has read rows and
 * carried them to nowhere by then. It may fail: what it calls is called again.
 */
final class WarmUp implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(RelayLog.LOGGER);
  // The second round takes a tenth of the first, and the fourth is as fast as the third.
  private static final int ROUNDS = 3;
  // What takes longer waits for the database, and more rounds would make nothing faster.
  private static final long LIMIT_NANOS = 2_000_000_000L;
  private static final int ROWS = 50;
  private static final long BYTES = 1L << 20;

  private final String relay;
  private final OutboxReader reader;
  private final Supplier<RelayEngine> engines;
  private final Ticker ticker;

  WarmUp(String relay, OutboxReader reader, Supplier<RelayEngine> engines, Ticker ticker) {
    this.relay = relay;
    this.reader = reader;
    this.engines = engines;
    this.ticker = ticker;
  }

  @Override
  public void run() {
    try {
      long start = ticker.nanos();
      for (int i = 0; i < ROUNDS && ticker.nanos() - start < LIMIT_NANOS; i++) {
        new DryRun(engines.get(), reader.warmUp(ROWS, BYTES), ticker.nanos()).run();
      }
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      log.debug(
          "relay {}: its warm-up has failed, and its first events take longer: {}",
          relay,
          ErrorText.of(e));
    }
  }
}
