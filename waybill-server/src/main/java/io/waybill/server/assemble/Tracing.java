package io.waybill.server.assemble;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.waybill.broker.Publisher;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.server.config.TracingConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Spans of what the relay publishes, exported over OTLP where the configuration says so. */
final class Tracing implements AutoCloseable {
  private static final String SERVICE = "waybill-relay";
  private static final Duration EXPORT = Duration.ofSeconds(1);

  private final @Nullable OpenTelemetrySdk sdk;
  private final WaybillTracing tracing;

  private Tracing(@Nullable OpenTelemetrySdk sdk) {
    this.sdk = sdk;
    this.tracing = WaybillTracing.of(sdk == null ? OpenTelemetry.noop() : sdk);
  }

  static Tracing of(TracingConfig config, String relay) {
    String endpoint = config.endpoint();
    if (endpoint == null) {
      return new Tracing(null);
    }
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.replaceAll("/+$", "") + "/v1/traces")
            .build();
    Attributes names =
        Attributes.of(
            AttributeKey.stringKey("service.name"), SERVICE,
            AttributeKey.stringKey("service.instance.id"), relay);
    return new Tracing(
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setResource(Resource.getDefault().merge(Resource.create(names)))
                    .addSpanProcessor(
                        BatchSpanProcessor.builder(exporter).setScheduleDelay(EXPORT).build())
                    .build())
            .build());
  }

  Publisher around(Publisher publisher) {
    return sdk == null ? publisher : tracing.publisher(publisher);
  }

  /** Exports what is left. */
  @Override
  public void close() {
    if (sdk != null) {
      sdk.close();
    }
  }
}
