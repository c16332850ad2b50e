package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation.Rejected;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderNamesTest {
  private static @Nullable Rejected refusal(String name) {
    byte[] body = {1};
    return HeaderNames.refusal(
        new Outgoing(
            1,
            Destination.topic("orders"),
            body,
            body,
            "text/plain",
            "e",
            "T",
            1,
            List.of(new Header(name, "1"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deliveryAttempt", "sourceData", "ID", "kafka_key"})
  void namesThatBindersDropOrActOnAreRejected(String name) {
    assertThat(refusal(name)).extracting(Rejected::reason).isEqualTo("reserved-header");
  }

  @Test
  void othersAreNot() {
    assertThat(refusal("tenant")).isNull();
  }
}
