package io.waybill.examples.polyglot;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The SDK of OpenTelemetry for each service that runs in this process. Closing exports the rest.
 */
final class Telemetry implements AutoCloseable {
  private static final Duration EXPORT = Duration.ofMillis(500);

  private final String endpoint;
  private final List<OpenTelemetrySdk> started = new ArrayList<>();

  /** Spans go to the receiver of OTLP over HTTP at this URL. */
  Telemetry(String endpoint) {
    this.endpoint = endpoint;
  }

  OpenTelemetrySdk of(String service) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(endpoint + "/v1/traces").build();
    Attributes name = Attributes.of(AttributeKey.stringKey("service.name"), service);
    OpenTelemetrySdk sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setResource(Resource.getDefault().merge(Resource.create(name)))
                    .addSpanProcessor(
                        BatchSpanProcessor.builder(exporter).setScheduleDelay(EXPORT).build())
                    .build())
            .build();
    started.add(sdk);
    return sdk;
  }

  @Override
  public void close() {
    started.forEach(OpenTelemetrySdk::close);
  }
}
