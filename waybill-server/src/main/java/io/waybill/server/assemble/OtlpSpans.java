package io.waybill.server.assemble;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;

/** The SDK of OpenTelemetry with spans that are exported over OTLP/HTTP. */
public final class OtlpSpans {
  private OtlpSpans() {}

  /**
   * Starts exporting.
   *
   * @param endpoint base URL of the receiver, http or https
   * @param service value of {@code service.name}
   * @param instance value of {@code service.instance.id}
   * @param delay longest time that a span waits for others to be exported with
   * @return to be closed by the caller, which exports the rest
   */
  public static OpenTelemetrySdk to(
      String endpoint, String service, String instance, Duration delay) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.replaceAll("/+$", "") + "/v1/traces")
            .build();
    Attributes names =
        Attributes.of(
            AttributeKey.stringKey("service.name"), service,
            AttributeKey.stringKey("service.instance.id"), instance);
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .setResource(Resource.getDefault().merge(Resource.create(names)))
                .addSpanProcessor(
                    BatchSpanProcessor.builder(exporter).setScheduleDelay(delay).build())
                .build())
        .build();
  }
}
