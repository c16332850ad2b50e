package io.waybill.kafka.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class TopicIdsTest {
  private static final Uuid FIRST = new Uuid(1, 1);
  private static final Uuid SECOND = new Uuid(1, 2);

  private final TopicIds ids = new TopicIds();

  @Test
  void anotherIdIsATopicMadeAnewUntilThatIsMet() {
    ids.seen("t", FIRST, 1);
    ids.seen("t", SECOND, 2);
    assertThat(ids.madeAnew()).containsExactly("t");
    assertThat(ids.isSameSince("t", 1)).isFalse();

    ids.met(List.of("t"));
    ids.seen("t", FIRST, 3);
    assertThat(ids.madeAnew()).as("of a broker that lags behind").isEmpty();
    assertThat(ids.isSameSince("t", 3)).isTrue();
    assertThat(ids.isSameSince("t", 4)).as("not asked since").isFalse();
  }

  @Test
  void aBrokerThatKnowsNoIdsIsUpgradedWithoutMakingItsTopicsAnew() {
    ids.seen("t", Uuid.ZERO_UUID, 1);
    ids.seen("t", FIRST, 2);
    ids.seen("t", Uuid.ZERO_UUID, 3);
    assertThat(ids.madeAnew()).isEmpty();
    assertThat(ids.isSameSince("t", 3)).isTrue();
  }
}
