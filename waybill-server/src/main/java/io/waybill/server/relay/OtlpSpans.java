package io.waybill.server.relay;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The SDK of OpenTelemetry, configured by its standard variables ({@code OTEL_...}) and system
 * properties ({@code otel....}). Unless they say otherwise, it exports spans over OTLP/HTTP, and no
 * metrics and logs.
 */
final class OtlpSpans {
  private static final AttributeKey<String> INSTANCE =
      AttributeKey.stringKey("service.instance.id");
  // Any of them says that spans are wanted.
  private static final Set<String> ASKING =
      Set.of(
          "OTEL_EXPORTER_OTLP_ENDPOINT",
          "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
          "OTEL_TRACES_EXPORTER");

  private OtlpSpans() {}

  /** Whether the environment asks for spans. */
  static boolean asked(Map<String, String> environment) {
    return ASKING.stream().anyMatch(environment::containsKey);
  }

  /**
   * Starts exporting.
   *
   * @param endpoint base URL of the receiver, http or https; null if the standard variables say it
   * @param service value of {@code service.name}, unless the standard variables name another
   * @param instance value of {@code service.instance.id}, likewise
   * @param delay longest time that a span waits for others to be exported with, likewise
   * @return to be closed by the caller, which exports the rest
   */
  static OpenTelemetrySdk to(
      @Nullable String endpoint, String service, String instance, Duration delay) {
    Map<String, String> usual = new HashMap<>();
    usual.put("otel.service.name", service);
    // It would name a random instance.
    usual.put(
        "otel.java.disabled.resource.providers",
        "io.opentelemetry.sdk.autoconfigure.ServiceInstanceIdResourceProvider");
    usual.put("otel.traces.exporter", "otlp");
    usual.put("otel.metrics.exporter", "none");
    usual.put("otel.logs.exporter", "none");
    usual.put("otel.exporter.otlp.protocol", "http/protobuf");
    usual.put("otel.bsp.schedule.delay", Long.toString(delay.toMillis()));
    if (endpoint != null) {
      usual.put("otel.exporter.otlp.endpoint", endpoint);
    }
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(() -> usual)
        .addResourceCustomizer((resource, properties) -> named(resource, instance))
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk();
  }

  private static Resource named(Resource resource, String instance) {
    return resource.getAttribute(INSTANCE) == null
        ? resource.merge(Resource.create(Attributes.of(INSTANCE, instance)))
        : resource;
  }
}
