package io.waybill.internal.relay.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.work.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often a relay reads before it joins. */
class WarmUpTest {
  private final MemoryOutbox outbox = new MemoryOutbox();

  private void warmUp(Ticker ticker) {
    new WarmUp("relay", outbox.open().reader(), row -> {}, ticker).run();
  }

  @Test
  void itReadsThreeTimes() {
    warmUp(() -> 0);

    assertThat(outbox.called).containsExactly("warmUp", "warmUp", "warmUp");
  }

  @Test
  void aSlowDatabaseIsAskedOnce() {
    AtomicLong now = new AtomicLong();
    warmUp(() -> now.getAndAdd(1_500_000_000L));

    assertThat(outbox.called).containsExactly("warmUp");
  }
}
