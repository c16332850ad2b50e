package io.waybill.examples.polyglot;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.KafkaMessage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReconciliationTest {
  private static KafkaMessage payment(String id, String source) {
    String value =
        """
        {"source":"%s","data":{"paymentId":"%s"}}"""
            .formatted(source, id);
    return new KafkaMessage(Service.PAYMENT.topic(), id, value, Map.of());
  }

  @Test
  void isCleanWhenEachRowArrivedFromItsService() {
    Reconciliation result =
        Reconciliation.of(
            Service.PAYMENT,
            Set.of("a"),
            List.of(
                payment("a", "payment-service"),
                new KafkaMessage(Service.NOTIFICATION.topic(), "e", "{}", Map.of())));

    assertThat(result).isEqualTo(new Reconciliation(1, 1, 0, 0, 0));
    assertThat(result.clean()).isTrue();
  }

  @Test
  void findsWhatIsLostInventedForeignOrDouble() {
    Reconciliation result =
        Reconciliation.of(
            Service.PAYMENT,
            Set.of("a", "b", "c"),
            List.of(
                payment("a", "payment-service"),
                payment("a", "payment-service"),
                payment("b", "another-service"),
                payment("x", "payment-service")));

    assertThat(result).isEqualTo(new Reconciliation(3, 1, 2, 2, 1));
    assertThat(result.clean()).isFalse();
  }
}
