package io.waybill.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.internal.encode.Decoder;
import io.waybill.message.Headers;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HistoryEngineTest {
  private static final String LANE = "orders-0";
  private static final RecordedProgress ELSEWHERE =
      new RecordedProgress("new", Map.of(LANE, new Place("old", 13)));

  private final List<InboxInput> passed = new ArrayList<>();
  private final HistoryEngine engine = new HistoryEngine(passed::add, true);

  private HistoryEngine.Decision decide(Map<String, Reach> reach) {
    return engine.decide(engine.look(), "new", ELSEWHERE, reach);
  }

  private static ReceivedMessage received(long position) {
    Delivery delivery =
        new Delivery("orders", LANE, position, null, null, Headers.NONE, 0, false, 0, "token");
    return new ReceivedMessage(delivery, new Decoder().decode(delivery));
  }

  private void deliver(long position) {
    engine.delivered(List.of(received(position)));
  }

  @Test
  void aLaneThatLeavesWhileTheDatabaseIsAskedIsNotTakenForCompared() {
    deliver(15);
    HistoryEngine.Decision left = decide(Map.of());
    assertThat(left.steps())
        .containsExactly(new HistoryStep.Stand("new"), new HistoryStep.Release(Map.of()));
    engine.revoked(Set.of(LANE));
    deliver(15);
    assertThat(decide(Map.of(LANE, new Reach(15, 15, 16))).back()).containsEntry(LANE, 13L);
  }

  @Test
  void aLaneThatLeavesBeforeItIsReadAgainIsReadAgainWhenItIsBack() {
    deliver(15);
    assertThat(decide(Map.of(LANE, new Reach(15, 15, 16))).back()).containsEntry(LANE, 13L);
    engine.forget(Set.of(LANE));
    engine.revoked(Set.of(LANE));
    deliver(15);
    assertThat(decide(Map.of(LANE, new Reach(15, 15, 16))).back()).containsEntry(LANE, 13L);
    assertThat(passed).isEmpty();
  }

  @Test
  void nothingOfALaneThatIsAboutToLeaveBeginsOnAnotherServer() {
    deliver(13);
    engine.release(Map.of(LANE, 13L));
    // The broker's side of it knows first.
    assertThat(engine.decide(engine.look(), "old", ELSEWHERE, Map.of()).steps())
        .containsExactly(
            new HistoryStep.Forget(Set.of(), Set.of(LANE)),
            new HistoryStep.Stand("new"),
            new HistoryStep.Release(Map.of()));
  }

  @Test
  void whereNothingCanBeReadAgainALaneIsReleasedAllTheSame() {
    List<InboxInput> queue = new ArrayList<>();
    HistoryEngine once = new HistoryEngine(queue::add, false);
    once.delivered(List.of(received(15)));
    assertThat(once.decide(once.look(), "new", ELSEWHERE, Map.of()).steps())
        .contains(new HistoryStep.Release(Map.of(LANE, 15L)));
    once.release(Map.of(LANE, 15L));
    assertThat(queue).hasSize(1);
  }
}
