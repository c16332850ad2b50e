package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Header;
import org.junit.jupiter.api.Test;

class KnownHeadersTest {
  private final KnownHeaders known = new KnownHeaders("n");

  @Test
  void valuesThatComeAgainShareAHeader() {
    Header first = known.of("order");

    assertThat(known.of("order")).isSameAs(first);
  }

  @Test
  void moreValuesThanAreRememberedStayThemselves() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 5_000; i++) {
        assertThat(known.of("v" + i)).isEqualTo(new Header("n", "v" + i));
      }
    }
  }

  // "Aa" and "BB" have the same hash.
  @Test
  void valuesOfOneHashAreKeptApart() {
    assertThat(known.of("Aa").value()).isEqualTo("Aa");
    assertThat(known.of("BB").value()).isEqualTo("BB");
    assertThat(known.of("Aa").value()).isEqualTo("Aa");
  }
}
