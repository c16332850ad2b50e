package io.waybill.internal.relay.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.internal.work.Ticker;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay does before it joins, and how often. */
class WarmUpTest {
  private static final EngineSettings SETTINGS =
      EngineSettings.defaults(Duration.ofSeconds(10), 100);

  private final MemoryOutbox outbox = new MemoryOutbox();
  private final AtomicLong now = new AtomicLong();
  private final List<OutboxRow> mapped = new ArrayList<>();

  private void warmUp(EngineSettings settings, MessageMapper mapper, Ticker ticker) {
    new WarmUp("relay", settings, rules(mapper), outbox.open(), ticker).run();
  }

  private RelayRules rules(MessageMapper mapper) {
    MessageMapper noting =
        (row, sendId) -> {
          mapped.add(row);
          return mapper.map(row, sendId);
        };
    return new RelayRules(
        noting,
        RetryPolicy.ofDefaults(),
        destination -> {
          throw new AssertionError("asked for a policy");
        });
  }

  private void warmUp(Ticker ticker) {
    warmUp(SETTINGS, RelayThreadsTest::map, ticker);
  }

  private static OutboxRow row(long id, int lane) {
    return RelayThreadsTest.row(id, lane, "k-" + id);
  }

  @Test
  void itReadsMapsAndSettlesNothingThreeTimes() {
    outbox.rows.addAll(List.of(row(1, 0), row(2, 3)));
    warmUp(() -> 0);

    assertThat(outbox.called)
        .containsExactly(
            "warmUp",
            "warmUp store",
            "warmUp",
            "warmUp store",
            "warmUp",
            "warmUp store",
            "warmUp lanes");
    assertThat(mapped).hasSize(6);
  }

  private int looks() {
    return Collections.frequency(outbox.called, "warmUp lanes");
  }

  @Test
  void itPausesForTwoSecondsWhileOthersCarryTheLanes() {
    outbox.others = () -> true;
    AtomicLong ended = new AtomicLong();
    warmUp(() -> ended.updateAndGet(at -> at + (looks() < 3 ? 0 : 500_000_000L)));

    assertThat(ended).hasValue(2_000_000_000L);
    assertThat(looks()).isEqualTo(2 + 4);
  }

  @Test
  void thePauseEndsWhenNoOtherCarriesTheLanes() {
    outbox.others = () -> looks() < 5;
    warmUp(() -> 0);

    assertThat(looks()).isEqualTo(5);
  }

  @Test
  void thePauseEndsWhenTheRelayIsToStop() {
    WarmUp[] one = new WarmUp[1];
    outbox.others =
        () -> {
          if (looks() == 5) {
            one[0].end();
          }
          return true;
        };
    one[0] = new WarmUp("relay", SETTINGS, rules(RelayThreadsTest::map), outbox.open(), () -> 0);
    one[0].run();

    assertThat(looks()).isEqualTo(5);
  }

  @Test
  void aSlowDatabaseIsAskedOnce() {
    warmUp(() -> now.getAndAdd(1_500_000_000L));

    assertThat(outbox.called).containsExactly("warmUp", "warmUp lanes");
  }

  @Test
  void aRelayThatReadsLaterWarmsUpNow() {
    outbox.rows.add(row(1, 0));
    EngineSettings later = SETTINGS.polling(SETTINGS.polling().initialDelay(Duration.ofHours(1)));
    warmUp(later, RelayThreadsTest::map, () -> 0);

    assertThat(mapped).hasSize(3);
  }

  @Test
  void rowsThatTakeLongToMapAreLeftOut() {
    for (int id = 0; id < 50; id++) {
      outbox.rows.add(row(id, 0));
    }
    MessageMapper failing =
        (row, sendId) -> {
          now.addAndGet(1_000_000_000L);
          throw new IllegalStateException("planted");
        };
    warmUp(SETTINGS, failing, now::get);

    assertThat(mapped).hasSize(2);
  }

  private static int sent(MessageMapper mapper, OutboxRow... rows) {
    return new DryRun(SETTINGS, RelayRules.ofDefaults(mapper), List.of(rows), 0).run();
  }

  @Test
  void allRowsOfTheDryRunAreSentToNowhere() {
    OutboxRow[] rows = {
      RelayThreadsTest.row(1, 3, "a"),
      RelayThreadsTest.row(2, 3, "a"),
      RelayThreadsTest.row(3, 1023, "b")
    };

    assertThat(sent(RelayThreadsTest::map, rows)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1024, 1_000_000_000, Integer.MAX_VALUE})
  void laneNumbersThatNoTableHasAreLeftOut(int lane) {
    assertThat(sent(RelayThreadsTest::map, row(1, lane), row(2, 5))).isEqualTo(1);
  }

  @Test
  void theDryRunEndsWithoutRowsAndWithRowsThatCannotBeSent() {
    MessageMapper refusing = (row, sendId) -> new Mapped.Unmappable("no-route", "none");

    assertThat(sent(RelayThreadsTest::map)).isZero();
    assertThat(sent(refusing, row(1, 0), row(2, 1))).isZero();
  }
}
