package io.waybill.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.internal.encode.Decoder;
import io.waybill.message.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final List<Long> reached = new ArrayList<>();
  private final Arrivals arrivals = new Arrivals(this::take);

  private void take(InboxInput input) {
    ((InboxInput.Delivered) input).messages().forEach(m -> reached.add(m.delivery().position()));
  }

  private boolean deliver(String lane, long position) {
    Delivery delivery =
        new Delivery("orders", lane, position, null, null, Headers.NONE, 0, false, 0, "token");
    return arrivals.delivered(
        List.of(new ReceivedMessage(delivery, new Decoder().decode(delivery))));
  }

  @Test
  void aLaneWaitsUntilItIsReleasedAndKeepsItsOrder() {
    assertThat(deliver("a", 5)).isTrue();
    assertThat(deliver("a", 6)).isTrue();
    assertThat(reached).isEmpty();
    assertThat(arrivals.waiting()).isEqualTo(Map.of("a", 5L));

    arrivals.release(Map.of("a", 5L));
    assertThat(deliver("a", 7)).isFalse();
    assertThat(reached).containsExactly(5L, 6L, 7L);
    assertThat(arrivals.known()).isEqualTo(Map.of("a", 5L));
  }

  @Test
  void nothingOfALaneThatIsReadAgainReachesTheEngineUntilItWasRevoked() {
    deliver("a", 5);
    arrivals.release(Map.of("a", 5L));
    arrivals.turn(Set.of("a", "b"));
    assertThat(deliver("a", 6)).isFalse();
    assertThat(arrivals.known()).isEmpty();

    arrivals.revoked(Set.of("a"));
    assertThat(deliver("a", 2)).isTrue();
    arrivals.release(Map.of("a", 2L));
    assertThat(reached).containsExactly(5L, 2L);
  }

  @Test
  void aLaneThatCameBackMeanwhileIsLookedAtAgain() {
    deliver("a", 5);
    Map<String, Long> looked = arrivals.waiting();
    arrivals.revoked(Set.of("a"));
    deliver("a", 9);
    arrivals.release(looked);

    assertThat(reached).isEmpty();
    assertThat(arrivals.waiting()).isEqualTo(Map.of("a", 9L));
  }
}
