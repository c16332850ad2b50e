package io.waybill.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Reach;
import io.waybill.store.Standing;
import io.waybill.store.Standing.Place;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FloorsTest {
  private static final String LANE = "orders-0";

  private static Standing standing(String server, String noted, long position) {
    return new Standing(server, Map.of(LANE, new Place(noted, position)));
  }

  private static Map<String, Long> known(Standing found, long noted, Reach reach) {
    return Floors.ofKnown(
        Map.of(LANE, 10L), Map.of(LANE, noted), Map.of(LANE, reach), "old", found);
  }

  private static Map<String, Long> waiting(long from, Standing found) {
    return Floors.ofWaiting(Set.of(LANE), Map.of(LANE, new Reach(from, from, 120)), found);
  }

  @Test
  void theSameServerThatHasWhatWasNotedLacksNothing() {
    assertThat(known(standing("old", "old", 80), 80, new Reach(10, 90, 120))).isEmpty();
  }

  @Test
  void fromAnotherServersNoteOnEverythingIsReadAgain() {
    assertThat(known(standing("new", "old", 70), 80, new Reach(10, 90, 120)))
        .containsEntry(LANE, 70L);
  }

  @Test
  void whereNothingWasDeliveredAfterTheNoteNothingIsLost() {
    assertThat(known(standing("new", "old", 120), 120, new Reach(10, 120, 120))).isEmpty();
    // It may have been committed on the old server meanwhile.
    assertThat(known(standing("new", "old", 120), 120, new Reach(10, 120, 121)))
        .containsEntry(LANE, 120L);
  }

  @Test
  void aServerThatWasSetBackUnderItsNameIsKnownByItsOldNote() {
    assertThat(known(standing("old", "old", 70), 80, new Reach(10, 90, 120)))
        .containsEntry(LANE, 70L);
  }

  @Test
  void aLaneThatTheServerDoesNotKnowIsReadFromWhereItBegan() {
    Standing nothing = new Standing("new", Map.of());
    assertThat(known(nothing, 80, new Reach(10, 90, 120))).containsEntry(LANE, 10L);
    assertThat(known(new Standing("old", Map.of()), 80, new Reach(10, 90, 120)))
        .containsEntry(LANE, 10L);
  }

  @Test
  void whatABrokerHasNoMoreIsNotReadAgain() {
    assertThat(
            Floors.ofKnown(
                Map.of(LANE, 10L), Map.of(), Map.of(), "old", standing("new", "old", 70)))
        .isEmpty();
  }

  @Test
  void anOwnerBeforeMayHaveAcknowledgedOnAnotherServer() {
    assertThat(waiting(100, standing("new", "old", 70))).containsEntry(LANE, 70L);
  }

  @Test
  void aPositionThatSomebodyHasSetStays() {
    assertThat(waiting(100, standing("new", "new", 70))).isEmpty();
    assertThat(waiting(50, standing("new", "old", 70))).isEmpty();
    assertThat(waiting(50, new Standing("new", Map.of()))).isEmpty();
  }

  @Test
  void whatWasReadAgainOnceIsNotReadAgainForTheSameNote() {
    assertThat(waiting(70, standing("new", "old", 70))).isEmpty();
    // Another failover is another matter.
    assertThat(waiting(70, standing("newer", "new", 65))).containsEntry(LANE, 65L);
  }
}
