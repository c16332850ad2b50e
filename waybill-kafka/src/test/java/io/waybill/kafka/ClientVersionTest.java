package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientVersionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2.8.0", "2.8.2", "3.0.0", "3.7.1", "3.9.0", "3.9.1", "4.0.0", "4.0.1", "4.1.0", "4.1.1"
      })
  void clientsThatCorruptAreRefused(String version) {
    assertThat(ClientVersion.check(version))
        .hasValueSatisfying(
            found -> {
              assertThat(found.check()).isEqualTo(Check.KAFKA_CLIENT_CORRUPTS);
              assertThat(found.check().severity()).isEqualTo(Finding.Severity.REFUSE);
              assertThat(found.subject()).isEqualTo("kafka-clients " + version);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "2.7.2",
        "3.9.2",
        "3.10.0",
        "4.0.2",
        "4.1.2",
        "4.2.0",
        "4.2.2",
        "4.4.0",
        "5.0.0",
        "40.1.0",
        "7.9.0-ccs",
        "3.9.1.redhat-00001",
        "99999999999.1.1"
      })
  void othersAreNot(String version) {
    assertThat(ClientVersion.check(version)).isEmpty();
  }

  @Test
  void theClientOnTheClassPathTellsItsVersion() {
    assertThat(ClientVersion.current()).matches("4\\.[0-9]+\\.[0-9]+");
    assertThat(ClientVersion.check(ClientVersion.current())).isEmpty();
  }
}
