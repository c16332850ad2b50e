package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.KafkaMessage;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconciliationTest {
  private static final Map<String, BigDecimal> ORDERS =
      Map.of("a", new BigDecimal("1.00"), "b", new BigDecimal("2.50"));

  private static KafkaMessage message(String order, String total) {
    String value =
        """
        {"data":{"orderId":"%s","totalAmount":%s}}"""
            .formatted(order, total);
    return new KafkaMessage("topic", order, value, Map.of());
  }

  @Test
  void isCleanWhenEachOrderArrivedWithItsAmount() {
    Reconciliation result =
        Reconciliation.of(ORDERS, List.of(message("b", "2.5"), message("a", "1")));

    assertThat(result).isEqualTo(new Reconciliation(2, 2, 0, 0, 0));
    assertThat(result.clean()).isTrue();
  }

  @Test
  void findsWhatIsLostInventedOrDouble() {
    Reconciliation result =
        Reconciliation.of(
            ORDERS, List.of(message("a", "1.00"), message("a", "1.00"), message("x", "3")));

    assertThat(result).isEqualTo(new Reconciliation(2, 1, 1, 1, 1));
    assertThat(result.clean()).isFalse();
  }

  @Test
  void anotherAmountIsAnotherOrder() {
    assertThat(Reconciliation.of(ORDERS, List.of(message("a", "1.01"))).ghosts()).isEqualTo(1);
  }
}
