package io.waybill.examples.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.KafkaMessage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReconciliationTest {
  private static KafkaMessage message(String operation, int revision) {
    String value =
        """
        {"operationId":"%s","walletId":"w","revision":%d}"""
            .formatted(operation, revision);
    return new KafkaMessage("topic", "w", value, Map.of());
  }

  @Test
  void isCleanWhenEachOperationArrivedInOrder() {
    Reconciliation result =
        Reconciliation.of(Set.of("a", "b"), List.of(message("a", 1), message("b", 2)));

    assertThat(result).isEqualTo(new Reconciliation(2, 2, 0, 0, 0, 0));
    assertThat(result.clean()).isTrue();
  }

  @Test
  void findsWhatIsLostInventedOutOfOrderOrDouble() {
    Reconciliation result =
        Reconciliation.of(
            Set.of("a", "b", "c"),
            List.of(message("b", 2), message("a", 1), message("a", 1), message("x", 3)));

    assertThat(result).isEqualTo(new Reconciliation(3, 2, 1, 1, 1, 1));
    assertThat(result.clean()).isFalse();
  }
}
