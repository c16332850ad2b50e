package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetentionCheckTest extends InboxRun {
  @Test
  void aWindowThatIsNoLongerThanTheBrokersRetentionIsToldOnce() {
    Duration window = Duration.ofDays(14);
    Duration endless = ChronoUnit.FOREVER.getDuration();
    broker.retention = Map.of("days", Duration.ofDays(13), "equal", window, "endless", endless);
    start(builder().dedupeWindow(window).handler("placed", (event, connection) -> {}));
    broker.listener().available();
    broker.listener().available();
    broker.deliver("placed", "a1");

    await(() -> told.stream().filter(InboxEvent.WindowTooShort.class::isInstance).count() >= 2);
    await(() -> broker.acknowledged.size() == 1);
    assertThat(told)
        .filteredOn(InboxEvent.WindowTooShort.class::isInstance)
        .containsExactlyInAnyOrder(
            new InboxEvent.WindowTooShort("equal", window, window),
            new InboxEvent.WindowTooShort("endless", endless, window));
  }
}
