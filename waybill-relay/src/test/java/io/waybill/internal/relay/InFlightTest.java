package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InFlightTest {
  private final InFlight inFlight = new InFlight();

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 1 << 14, 3L << 40})
  void findsEachSendOnceHoweverFarApartTheirIdsAre(long stride) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      entries.add(entry(i));
      inFlight.put(1 + i * stride, entries.get(i));
    }
    assertThat(inFlight.size()).isEqualTo(20_000);
    for (int i = 0; i < 20_000; i++) {
      assertThat(inFlight.remove(1 + i * stride)).isSameAs(entries.get(i));
      assertThat(inFlight.remove(1 + i * stride)).isNull();
    }
    assertThat(inFlight.size()).isZero();
  }

  @Test
  void knowsNothingOfSendsThatWereCleared() {
    inFlight.put(1, entry(1));
    inFlight.put(1 + (1 << 14), entry(2));
    inFlight.clear();
    assertThat(inFlight.size()).isZero();
    assertThat(inFlight.remove(1)).isNull();
    assertThat(inFlight.remove(1 + (1 << 14))).isNull();
  }

  private static Entry entry(long id) {
    EventKey name = new EventKey("order", "1");
    OutboxRow row =
        new OutboxRow(
            id,
            0,
            "e" + id,
            "type",
            1,
            name,
            null,
            "text/plain",
            null,
            null,
            null,
            null,
            0,
            0,
            false);
    return new Entry(row, new KeyQueue(name, 0), 0);
  }
}
