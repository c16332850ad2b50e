package io.waybill.internal.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.jdbc.kernel.Place;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReturnedTest {
  private final Returned returned = new Returned();

  @Test
  void rowsThatWaitNoMoreAreForgottenWithinTheirWalk() {
    returned.add("b", 1, 0, new Place(7, "b"));
    returned.add("a", 1, 0, new Place(7, "a"));

    returned.retain(Map.of("a", 1L), new Place(7, "b"));

    assertThat(returned.has("a", 1)).isTrue();
    assertThat(returned.has("b", 1)).isFalse();
  }

  @Test
  void rowsOfEarlierWalksAreKeptUntilTheNextHasPassedThem() {
    returned.add("settled", 1, 0, new Place(5, "settled"));
    returned.add("beyond", 1, 0, new Place(9, "beyond"));
    returned.add("beside", 1, 0, new Place(7, "beside"));
    returned.startWalk();

    returned.retain(Map.of(), new Place(7, "x"));

    assertThat(returned.has("settled", 1)).isFalse();
    assertThat(returned.has("beyond", 1)).isTrue();
    assertThat(returned.has("beside", 1)).isTrue();
    returned.add("beside", 1, 0, new Place(7, "beside"));
    returned.retain(Map.of(), new Place(7, "x"));
    assertThat(returned.has("beside", 1)).isFalse();
  }

  @Test
  void anotherRowWithTheSameIdHasNotBeenReturned() {
    returned.add("a", 1, 0, new Place(5, "a"));

    assertThat(returned.has("a", 2)).isFalse();
    returned.retain(Map.of("a", 2L), new Place(7, "x"));
    assertThat(returned.has("a", 1)).isFalse();
  }
}
