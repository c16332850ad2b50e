import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const W3C = new W3CTraceContextPropagator();

/** A span around each call of a handler, as a part of the trace that the message belongs to. */
export class Tracing {
  #provider;

  /** @param {TracerProvider} [provider] makes the spans; without, events stay in the span they came in */
  constructor(provider) {
    this.#provider = provider;
  }

  /**
   * Exports over OTLP/HTTP to OTEL_EXPORTER_OTLP_ENDPOINT, if that is set,
   * every OTEL_BSP_SCHEDULE_DELAY milliseconds.
   *
   * @param {string} service name of the service
   */
  static start(service) {
    if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
      return new Tracing();
    }
    const exporter = new OTLPTraceExporter();
    const delay = process.env.OTEL_BSP_SCHEDULE_DELAY;
    const scheduledDelayMillis = delay ? Number(delay) : undefined;
    return new Tracing(
      new TracerProvider({
        resource: resourceFromAttributes({ 'service.name': service }),
        spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis })],
      }),
    );
  }

  /**
   * Works on an event whose traceparent is that of the new span: what it causes belongs there.
   *
   * @template T
   * @param {{id: string, type: string, traceparent?: string}} event
   * @param {string} topic
   * @param {(event: object) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async handle(event, topic, work) {
    if (this.#provider === undefined) {
      return work(event);
    }
    const parent = W3C.extract(ROOT_CONTEXT, event, defaultTextMapGetter);
    const span = this.#provider.getTracer('payment-service').startSpan(
      `process ${topic}`,
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'messaging.system.name': 'kafka',
          'messaging.operation.type': 'process',
          'messaging.operation.name': 'process',
          'messaging.destination.name': topic,
          'messaging.message.id': event.id,
        },
      },
      parent,
    );
    const traced = { ...event };
    W3C.inject(trace.setSpan(ROOT_CONTEXT, span), traced, defaultTextMapSetter);
    try {
      return await work(traced);
    } catch (error) {
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  /** Exports what is left. */
  async stop() {
    await this.#provider?.shutdown();
  }
}
