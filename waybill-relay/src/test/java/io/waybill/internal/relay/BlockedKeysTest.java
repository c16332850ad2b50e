package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.RelayEvent;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What blocked keys cost that have nothing in memory, however many they are. */
class BlockedKeysTest {
  private static final int PAGE = 10_000;
  private static final int KEYS = 200_000;
  private static final int AT_HAND = 20_000;
  private static final int MOST_BYTES = 60;

  private final EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();

  @Test
  void aParkedKeyTakesSomeFortyBytes() {
    assertThat(bytesPerKey(this::parked)).isLessThan(MOST_BYTES);
  }

  @Test
  void aKeyWithHeldRowsTakesSomeFortyBytes() {
    assertThat(bytesPerKey(this::held)).isLessThan(MOST_BYTES);
  }

  @Test
  void theFirstKeyBeyondThoseAtHandIsTold() {
    for (int first = 0; first < AT_HAND; first += PAGE) {
      run.apply(new Input.RowsRead(ReadResult.blocked(parked(first))));
    }

    assertThat(run.told(RelayEvent.ManyKeysBlocked.class))
        .singleElement()
        .returns(EngineRun.DEFAULTS.maxKeys(), RelayEvent.ManyKeysBlocked::atHand)
        .returns(1, RelayEvent.ManyKeysBlocked::others);
  }

  private interface Page {
    Backlog of(int first);
  }

  private long bytesPerKey(Page page) {
    long before = 0;
    for (int first = 0; first < AT_HAND + KEYS; first += PAGE) {
      if (first == AT_HAND) {
        before = used();
      }
      // Nobody answers what it asks for meanwhile.
      run.apply(new Input.RowsRead(ReadResult.blocked(page.of(first))));
    }
    return (used() - before) / KEYS;
  }

  private Backlog parked(int first) {
    List<FailedRow> failed = new ArrayList<>();
    for (int i = first; i < first + PAGE; i++) {
      OutboxRow row = run.row("a", key(i));
      failed.add(new FailedRow(row, RowState.PARKED, 1, false, 0, "too-large", ""));
    }
    return new Backlog(failed, List.of());
  }

  private Backlog held(int first) {
    List<HeldKey> held = new ArrayList<>();
    for (int i = first; i < first + PAGE; i++) {
      OutboxRow row = run.row("a", key(i));
      held.add(new HeldKey(HeldKey.nameOf(row), row.lane(), 1));
    }
    return new Backlog(List.of(), held);
  }

  private static String key(int number) {
    return String.format(Locale.ROOT, "blocked.%08d", number);
  }

  private static long used() {
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
