package io.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ReturnedTest {
  private final Returned returned = new Returned();

  @Test
  void rowsThatWaitNoMoreAreForgottenWithinTheirWalk() {
    returned.add("b", 0, new Place(7, "b"));
    returned.add("a", 0, new Place(7, "a"));

    returned.retain(Set.of("a"), new Place(7, "b"));

    assertThat(returned.has("a")).isTrue();
    assertThat(returned.has("b")).isFalse();
  }

  @Test
  void rowsOfEarlierWalksAreKeptUntilTheNextHasPassedThem() {
    returned.add("settled", 0, new Place(5, "settled"));
    returned.add("beyond", 0, new Place(9, "beyond"));
    returned.add("beside", 0, new Place(7, "beside"));
    returned.startWalk();

    returned.retain(Set.of(), new Place(7, "x"));

    assertThat(returned.has("settled")).isFalse();
    assertThat(returned.has("beyond")).isTrue();
    assertThat(returned.has("beside")).isTrue();
    returned.add("beside", 0, new Place(7, "beside"));
    returned.retain(Set.of(), new Place(7, "x"));
    assertThat(returned.has("beside")).isFalse();
  }
}
