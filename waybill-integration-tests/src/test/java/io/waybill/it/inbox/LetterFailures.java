package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Dead letters that were not confirmed, with their times. Thread-safe. */
final class LetterFailures implements InboxListener {
  private record Failure(String eventId, long nanos, long delayMillis) {}

  private final List<Failure> all = new CopyOnWriteArrayList<>();

  @Override
  public void on(InboxEvent event) {
    if (event instanceof InboxEvent.DeadLetterFailed failed) {
      all.add(new Failure(failed.about().eventId(), System.nanoTime(), failed.delayMillis()));
    }
  }

  int count() {
    return all.size();
  }

  /** All are of one event, and none came before the pause was over that the last one announced. */
  void keptTheirPauses(String eventId) {
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).eventId()).isEqualTo(eventId);
      if (i > 0) {
        long millis = (all.get(i).nanos() - all.get(i - 1).nanos()) / 1_000_000;
        assertThat(millis)
            .as("pause before letter %d", i + 1)
            .isGreaterThanOrEqualTo(all.get(i - 1).delayMillis() - 5);
      }
    }
  }
}
