package io.waybill.internal.relay.shell;

import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay does before it joins. Others give up lanes for it as soon as they see that it has
 * joined, and the keys of those lanes stand still until its first send. So it has read rows and
 * mapped them by then, and thrown the messages away. It may fail: what it calls is called again.
 */
final class WarmUp implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(RelayLog.LOGGER);
  // The second round takes a tenth of the first, and the fourth is as fast as the third.
  private static final int ROUNDS = 3;
  private static final int ROWS = 50;
  private static final long BYTES = 1L << 20;

  private final String relay;
  private final OutboxReader reader;
  private final Consumer<OutboxRow> mapping;

  WarmUp(String relay, OutboxReader reader, Consumer<OutboxRow> mapping) {
    this.relay = relay;
    this.reader = reader;
    this.mapping = mapping;
  }

  @Override
  public void run() {
    try {
      for (int round = 0; round < ROUNDS; round++) {
        reader.warmUp(ROWS, BYTES).forEach(mapping);
      }
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      log.debug("relay {}: its warm-up has failed; its first events take longer", relay, e);
    }
  }
}
