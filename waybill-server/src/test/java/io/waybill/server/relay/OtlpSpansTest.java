package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.waybill.proof.trace.ExportedSpan;
import io.waybill.proof.trace.OtlpReceiver;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The SDK as its own variables and system properties set it up. */
class OtlpSpansTest {
  private static final Duration DELAY = Duration.ofMillis(100);

  @AfterEach
  void clear() {
    System.clearProperty("otel.service.name");
    System.clearProperty("otel.exporter.otlp.endpoint");
    System.clearProperty("otel.resource.attributes");
  }

  private static void export(OpenTelemetrySdk sdk) {
    sdk.getTracer("test").spanBuilder("send orders").startSpan().end();
    sdk.close();
  }

  @Test
  void spansGoToTheReceiverWithTheNamesThatStandardPropertiesGive() throws IOException {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        OtlpReceiver other = OtlpReceiver.start()) {
      export(OtlpSpans.to(receiver.endpoint(), "waybill-relay", "relay-1", DELAY));
      assertThat(receiver.spans())
          .extracting(ExportedSpan::service)
          .containsExactly("waybill-relay");

      System.setProperty("otel.service.name", "shop-relay");
      System.setProperty("otel.exporter.otlp.endpoint", other.endpoint());
      export(OtlpSpans.to(receiver.endpoint(), "waybill-relay", "relay-1", DELAY));
      assertThat(other.spans()).extracting(ExportedSpan::service).containsExactly("shop-relay");
      assertThat(receiver.spans()).hasSize(1);

      export(OtlpSpans.to(null, "waybill-relay", "relay-1", DELAY));
      assertThat(other.spans()).hasSize(2);
    }
  }

  @Test
  void theInstanceIsTheRelayUnlessItIsSaid() {
    System.setProperty("otel.resource.attributes", "deployment.environment.name=test");
    assertThat(resource()).contains("service.instance.id=\"relay-1\"").contains("test");
    System.setProperty("otel.resource.attributes", "service.instance.id=mine");
    assertThat(resource()).contains("service.instance.id=\"mine\"");
  }

  private static String resource() {
    OpenTelemetrySdk sdk = OtlpSpans.to("http://127.0.0.1:9", "waybill-relay", "relay-1", DELAY);
    try (sdk) {
      return sdk.getSdkTracerProvider().toString();
    }
  }

  @Test
  void theStandardVariablesAskForSpans() {
    assertThat(OtlpSpans.asked(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318"))).isTrue();
    assertThat(OtlpSpans.asked(Map.of("OTEL_TRACES_EXPORTER", "otlp"))).isTrue();
    assertThat(OtlpSpans.asked(Map.of("OTEL_SERVICE_NAME", "relay"))).isFalse();
  }
}
