package io.waybill.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks of {@link PublisherContract} on stored messages. */
final class ContractAssertions {
  private ContractAssertions() {}

  static void assertSame(Outgoing sent, Received arrived) {
    assertThat(arrived.key()).isEqualTo(sent.key());
    assertThat(arrived.body()).isEqualTo(sent.body());
    assertThat(arrived.timestampMillis()).isEqualTo(sent.timestampMillis());
    assertThat(arrived.headers()).containsExactlyElementsOf(sent.headers());
  }

  /**
   * The numbers of each key in the order of their first arrival.
   *
   * @param stored messages whose body is {@code key/number}
   */
  static Map<String, List<Integer>> firstArrivals(List<Received> stored) {
    Map<String, Set<Integer>> seen = new LinkedHashMap<>();
    for (Received message : stored) {
      String[] parts = text(message).split("/", -1);
      seen.computeIfAbsent(parts[0], key -> new LinkedHashSet<>()).add(Integer.valueOf(parts[1]));
    }
    Map<String, List<Integer>> result = new HashMap<>();
    seen.forEach((key, numbers) -> result.put(key, new ArrayList<>(numbers)));
    return result;
  }

  /** What was stored of a key has no hole: with each number, all before it are there, in order. */
  static void assertPrefixes(List<Received> stored) {
    firstArrivals(stored)
        .forEach(
            (key, numbers) -> {
              for (int i = 0; i < numbers.size(); i++) {
                assertThat(numbers.get(i))
                    .as("arrival %d of %s in %s", i, key, numbers)
                    .isEqualTo(i);
              }
            });
  }

  static String text(Received message) {
    return new String(Objects.requireNonNull(message.body(), "body"), UTF_8);
  }
}
