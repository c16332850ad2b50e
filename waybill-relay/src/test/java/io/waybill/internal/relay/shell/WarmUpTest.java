package io.waybill.internal.relay.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.internal.work.Ticker;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a relay does before it joins, and how often. */
class WarmUpTest {
  private final MemoryOutbox outbox = new MemoryOutbox();

  private static RelayEngine engine(MessageMapper mapper) {
    return new RelayEngine(
        EngineSettings.defaults(Duration.ofSeconds(10), 100),
        RetryPolicy.ofDefaults(),
        destination -> new FailurePolicy.Park(),
        mapper,
        0);
  }

  private void warmUp(Ticker ticker) {
    new WarmUp("relay", outbox.open().reader(), () -> engine(RelayThreadsTest::map), ticker).run();
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

  private static int sent(MessageMapper mapper, OutboxRow... rows) {
    return new DryRun(engine(mapper), List.of(rows), 0).run();
  }

  @Test
  void allRowsOfTheDryRunAreSentToNowhere() {
    int sent =
        sent(
            RelayThreadsTest::map,
            RelayThreadsTest.row(1, "a"),
            RelayThreadsTest.row(2, "a"),
            RelayThreadsTest.row(3, "b"));

    assertThat(sent).isEqualTo(3);
  }

  @Test
  void theDryRunEndsWithoutRowsAndWithRowsThatCannotBeSent() {
    MessageMapper refusing = (row, sendId) -> new Mapped.Unmappable("no-route", "none");

    assertThat(sent(RelayThreadsTest::map)).isZero();
    assertThat(sent(refusing, RelayThreadsTest.row(1, "a"), RelayThreadsTest.row(2, "b"))).isZero();
  }
}
