package io.waybill.internal.relay.shell;

import io.waybill.internal.encode.Mapped;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Ticker;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay does before it joins. Others give up lanes for it as soon as they see that it has
 * joined, and the keys of those lanes stand still until its first send. So it has read rows and
 * carried them nowhere by then. It may fail: what it calls is called again.
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
  private final EngineSettings settings;
  private final RelayRules rules;
  private final OutboxReader reader;
  private final Ticker ticker;
  private long start;

  WarmUp(
      String relay, EngineSettings settings, RelayRules rules, OutboxReader reader, Ticker ticker) {
    this.relay = relay;
    this.settings = settings.polling(settings.polling().initialDelay(Duration.ZERO));
    this.rules = rules;
    this.reader = reader;
    this.ticker = ticker;
  }

  @Override
  public void run() {
    try {
      start = ticker.nanos();
      for (int i = 0; i < ROUNDS && inTime(); i++) {
        new DryRun(engine(), reader.warmUp(ROWS, BYTES), ticker.nanos()).run();
      }
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      log.debug(
          "relay {}: its warm-up has failed, and its first events take longer: {}",
          relay,
          ErrorText.of(e));
    }
  }

  private boolean inTime() {
    return ticker.nanos() - start < LIMIT_NANOS;
  }

  /** It asks nobody what becomes of events that cannot be sent. */
  private RelayEngine engine() {
    return new RelayEngine(
        settings,
        rules.retryPolicy(),
        destination -> new FailurePolicy.Park(),
        this::map,
        ticker.nanos());
  }

  private Mapped map(OutboxRow row, long sendId) {
    return inTime() ? rules.mapper().map(row, sendId) : new Mapped.Unmappable("late", "warm-up");
  }
}
