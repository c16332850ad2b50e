package io.waybill.kafka.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EncodedHeadersTest {
  private final EncodedHeaders encoded = new EncodedHeaders();

  @Test
  void whatIsKeptIsNeverTakenForAnotherHeader() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 10_000; i++) {
        check(
            List.of(new Header("a", "v" + i), new Header("b", "v" + i), new Header("a", "\u00e4")));
      }
    }
  }

  // "Aa" and "BB" have the same hash.
  @Test
  void headersOfOneHashAreKeptApart() {
    for (int round = 0; round < 3; round++) {
      check(List.of(new Header("Aa", "BB"), new Header("BB", "Aa"), new Header("Aa", "Aa")));
    }
  }

  @Test
  void namesMayRepeatAndValuesMayBeLongOrEmpty() {
    check(List.of(new Header("n", ""), new Header("n", "x".repeat(1000)), new Header("n", "")));
    check(List.of());
  }

  private void check(List<Header> headers) {
    List<Header> seen = new ArrayList<>();
    encoded
        .of(headers)
        .forEach(
            header ->
                seen.add(
                    new Header(header.key(), new String(header.value(), StandardCharsets.UTF_8))));
    assertThat(seen).isEqualTo(headers);
  }
}
