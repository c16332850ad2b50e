package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.UnknownTypes;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes that are held, stopped or revoked. */
class InboxEngineLaneTest {
  private final InboxDriver inbox = InboxDriver.ofDefaults();

  @Test
  void anUnknownTypeStopsItsLaneAndNoOther() {
    InboxDriver failing = new InboxDriver(InboxSettings.ofDefaults(), UnknownTypes.FAIL);
    failing.deliver(SINGLE, "a1").deliver("unheard", "b1").deliver(SINGLE, "c1");
    failing.deliverOn("other", "d1");

    assertThat(failing.running()).containsExactlyInAnyOrder("a1", "d1");
    assertThat(failing.all(InboxEffect.Pause.class))
        .containsExactly(new InboxEffect.Pause("lane", true));
    assertThat(failing.told(InboxEvent.LaneStopped.class)).hasSize(1);
    assertThat(failing.gauges().lanesStopped()).isEqualTo(1);
    assertThat(failing.handled("a1").acknowledged()).containsExactly("a1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memoryIsBoundedByCountAndByBytes(boolean byCount) {
    InboxSettings bounded =
        byCount
            ? InboxSettings.ofDefaults().memory(4, 1 << 20)
            : InboxSettings.ofDefaults().memory(1_000, 2_600);
    InboxDriver small = new InboxDriver(bounded, UnknownTypes.DEAD_LETTER);
    small.deliver(SINGLE, "a1", "b1", "c1");
    assertThat(small.all(InboxEffect.Pause.class)).isEmpty();

    small.deliver(SINGLE, "d1");
    assertThat(small.all(InboxEffect.Pause.class))
        .containsExactly(new InboxEffect.Pause("lane", true));
    small.handled("a1");
    assertThat(small.all(InboxEffect.Pause.class)).hasSize(1);
    small.handled("b1").handled("c1");
    assertThat(small.all(InboxEffect.Pause.class))
        .containsExactly(new InboxEffect.Pause("lane", true), new InboxEffect.Pause("lane", false));
  }

  @Test
  void aHeldLaneThatLeavesIsHeldNoLonger() {
    InboxDriver small =
        new InboxDriver(InboxSettings.ofDefaults().memory(2, 1 << 20), UnknownTypes.DEAD_LETTER);
    small.deliver(SINGLE, "a1", "b1").revoke("lane", true);

    assertThat(small.all(InboxEffect.Pause.class))
        .containsExactly(new InboxEffect.Pause("lane", true), new InboxEffect.Pause("lane", false));
  }

  @Test
  void whatARevokedLaneHasQueuedIsDroppedAndWhatRunsIsAwaited() {
    inbox.deliver(SINGLE, "a1", "a2").deliverOn("other", "b1");
    inbox.revoke("lane", false);
    assertThat(inbox.all(InboxEffect.LanesQuiet.class)).isEmpty();

    inbox.handled("a1");
    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.effects.indexOf(inbox.all(InboxEffect.Acknowledge.class).get(0)))
        .isLessThan(inbox.effects.indexOf(new InboxEffect.LanesQuiet(1)));
    assertThat(inbox.running()).containsExactly("b1");
    assertThat(inbox.givenBack()).isEmpty();
  }

  @Test
  void whatFailsAfterItsLaneLeftIsSomebodyElsesBusiness() {
    inbox.deliver(SINGLE, "a1", "b1").revoke("lane", true);
    inbox.failed("a1", false).failed("b1", true).pass(Duration.ofMinutes(1));

    assertThat(inbox.all(InboxEffect.Publish.class)).isEmpty();
    assertThat(inbox.running()).isEmpty();
    assertThat(inbox.gauges().events()).isZero();
  }

  @Test
  void aLaneThatComesBackIsANewOne() {
    inbox.deliver(SINGLE, "a1", "a2").revoke("lane", true).deliver(SINGLE, "a1", "a2");
    inbox.handled("a1");

    assertThat(inbox.running()).containsExactly("a1 a2");
    inbox.done("a1 a2", new Fate.Duplicate(Duration.ZERO), new Fate.Handled(0));
    assertThat(inbox.acknowledged()).endsWith("a1", "a2");
  }
}
