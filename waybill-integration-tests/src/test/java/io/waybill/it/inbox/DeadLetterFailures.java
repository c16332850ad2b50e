package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Dead letters that were not confirmed, with their times. Thread-safe. */
final class DeadLetterFailures implements InboxListener {
  private record Failure(String eventId, long nanos, long delayMillis) {}

  private static final long MOST_LATE_MILLIS = 500;

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

  /**
   * All are of one event, and the pauses that they announced lie between them. How late this
   * listener is told differs from one to the next on a busy machine.
   */
  void keptTheirPauses(String eventId) {
    assertThat(all).allMatch(failure -> failure.eventId().equals(eventId));
    List<Failure> before = all.subList(0, all.size() - 1);
    long announced = before.stream().mapToLong(Failure::delayMillis).sum();
    long passed = (all.get(all.size() - 1).nanos() - all.get(0).nanos()) / 1_000_000;
    assertThat(passed)
        .as("ms between %d letters", all.size())
        .isGreaterThanOrEqualTo(announced - MOST_LATE_MILLIS);
  }
}
