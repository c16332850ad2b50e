package io.waybill.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Reach;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FloorsTest {
  private static final String LANE = "orders-0";

  private static RecordedProgress recordedProgress(String server, String noted, long position) {
    return new RecordedProgress(server, Map.of(LANE, new Place(noted, position)));
  }

  private static Map<String, Long> known(RecordedProgress found, long noted, Reach reach) {
    return Floors.ofKnown(
        Map.of(LANE, 10L), Map.of(LANE, noted), Map.of(LANE, reach), "old", found);
  }

  private static Map<String, Long> waiting(long from, RecordedProgress found) {
    return Floors.ofWaiting(Set.of(LANE), Map.of(LANE, new Reach(from, from, 120)), found);
  }

  @Test
  void theSameServerThatHasWhatWasNotedLacksNothing() {
    assertThat(known(recordedProgress("old", "old", 80), 80, new Reach(10, 90, 120))).isEmpty();
  }

  @Test
  void fromAnotherServersNoteOnEverythingIsReadAgain() {
    assertThat(known(recordedProgress("new", "old", 70), 80, new Reach(10, 90, 120)))
        .containsEntry(LANE, 70L);
  }

  @Test
  void whereNothingWasDeliveredAfterTheNoteNothingIsLost() {
    assertThat(known(recordedProgress("new", "old", 120), 120, new Reach(10, 120, 120))).isEmpty();
    // It may have been committed on the old server meanwhile.
    assertThat(known(recordedProgress("new", "old", 120), 120, new Reach(10, 120, 121)))
        .containsEntry(LANE, 120L);
  }

  @Test
  void aServerThatWasSetBackUnderItsNameIsKnownByItsOldNote() {
    assertThat(known(recordedProgress("old", "old", 70), 80, new Reach(10, 90, 120)))
        .containsEntry(LANE, 70L);
  }

  @Test
  void aLaneThatTheServerDoesNotKnowIsReadFromWhereItBegan() {
    RecordedProgress nothing = new RecordedProgress("new", Map.of());
    assertThat(known(nothing, 80, new Reach(10, 90, 120))).containsEntry(LANE, 10L);
    assertThat(known(new RecordedProgress("old", Map.of()), 80, new Reach(10, 90, 120)))
        .containsEntry(LANE, 10L);
  }

  @Test
  void whatABrokerHasNoMoreIsNotReadAgain() {
    assertThat(
            Floors.ofKnown(
                Map.of(LANE, 10L), Map.of(), Map.of(), "old", recordedProgress("new", "old", 70)))
        .isEmpty();
  }

  @Test
  void anOwnerBeforeMayHaveAcknowledgedOnAnotherServer() {
    assertThat(waiting(100, recordedProgress("new", "old", 70))).containsEntry(LANE, 70L);
  }

  @Test
  void aPositionThatSomebodyHasSetStays() {
    assertThat(waiting(100, recordedProgress("new", "new", 70))).isEmpty();
    assertThat(waiting(50, recordedProgress("new", "old", 70))).isEmpty();
    assertThat(waiting(50, new RecordedProgress("new", Map.of()))).isEmpty();
  }

  @Test
  void whatWasReadAgainOnceIsNotReadAgainForTheSameNote() {
    assertThat(waiting(70, recordedProgress("new", "old", 70))).isEmpty();
    // Another failover is another matter.
    assertThat(waiting(70, recordedProgress("newer", "new", 65))).containsEntry(LANE, 65L);
  }
}
