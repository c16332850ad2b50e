package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventIdsTest {
  private static final long START = 1_700_000_000_000L;

  private final AtomicLong now = new AtomicLong(START);
  private final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
  private final EventIds ids = new EventIds(clock, new SplittableRandom(1));

  @Test
  void hasTheFormOfVersion7() {
    UUID id = UUID.fromString(ids.next());

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(START);
  }

  @Test
  void growsWithinAMillisecondAndWhenTheClockGoesBack() {
    List<String> made = new ArrayList<>();
    IntStream.range(0, 10_000).forEach(i -> made.add(ids.next()));
    now.set(START - 60_000);
    IntStream.range(0, 10).forEach(i -> made.add(ids.next()));
    now.set(START + 60_000);
    made.add(ids.next());

    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void eventsHaveIdsThatGrow() {
    List<String> made =
        IntStream.range(0, 1_000)
            .mapToObj(i -> Event.builder("t", "a", "1").json("1").build().id())
            .toList();

    assertThat(made).isSorted().doesNotHaveDuplicates();
  }
}
