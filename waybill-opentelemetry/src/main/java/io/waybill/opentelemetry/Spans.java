package io.waybill.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Outgoing;
import io.waybill.internal.observe.MessagingConventions;
import io.waybill.message.Event;
import io.waybill.message.Place;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.TraceContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Spans by the conventions that {@link MessagingConventions} names, and their context as text.
 * Thread-safe.
 */
final class Spans {
  static final AttributeKey<String> EVENT_TYPE = AttributeKey.stringKey("waybill.event.type");
  static final AttributeKey<String> EVENT_ID = AttributeKey.stringKey("waybill.event.id");

  private static final TextMapGetter<TraceContext> GETTER =
      (context, name) ->
          switch (name) {
            case TraceContext.TRACEPARENT -> context == null ? null : context.traceparent();
            case TraceContext.TRACESTATE -> context == null ? null : context.tracestate();
            default -> null;
          };

  private static final TextMapSetter<Map<String, String>> SETTER =
      (carrier, name, value) -> {
        if (carrier != null) {
          carrier.put(name, value);
        }
      };

  private final Tracer tracer;
  private final boolean bodySizes;

  /**
   * Spans of a tracer.
   *
   * @param bodySizes whether spans of single messages have the size of the body, which the
   *     conventions leave to the user
   */
  Spans(Tracer tracer, boolean bodySizes) {
    this.tracer = tracer;
    this.bodySizes = bodySizes;
  }

  Spans withBodySizes() {
    return new Spans(tracer, true);
  }

  /**
   * A span of the insert. The broker is not known yet, so that it is no span of messaging, whose
   * conventions ask for a system.
   */
  Span append(Event event, Context parent) {
    return tracer
        .spanBuilder("append " + event.type())
        .setSpanKind(SpanKind.INTERNAL)
        .setParent(parent)
        .setAttribute(EVENT_TYPE, event.type())
        .setAttribute(EVENT_ID, event.id())
        .startSpan();
  }

  /** A span whose context the message gets: of the kind of a producer. */
  Span send(Outgoing message, TraceContext row, BrokerClient client) {
    String operation = MessagingConventions.send(client.transport());
    String destination =
        MessagingConventions.destination(client.transport(), message.destination());
    SpanBuilder builder =
        of(client, operation, MessagingConventions.TYPE_SEND, SpanKind.PRODUCER, destination)
            .setParent(context(row))
            .setAttribute(EVENT_TYPE, message.eventType())
            .setAttribute(Messaging.MESSAGE, message.eventId());
    ifKnown(builder, Messaging.ROUTING_KEY, message.destination().routingKey());
    ifKnown(builder, Messaging.CONVERSATION, message.header("waybill-correlation-id"));
    body(builder, client, message.body());
    return builder.startSpan();
  }

  /** A span of a handler's call with one event. */
  Span process(ReceivedEvent event, BrokerClient client) {
    SpanBuilder builder =
        of(
                client,
                MessagingConventions.PROCESS,
                MessagingConventions.PROCESS,
                SpanKind.CONSUMER,
                MessagingConventions.destination(event))
            .setParent(context(TraceContext.of(event.traceparent(), event.tracestate())))
            .setAttribute(EVENT_TYPE, event.type())
            .setAttribute(Messaging.MESSAGE, event.id());
    ifKnown(builder, Messaging.CONVERSATION, event.correlationId());
    if (event.place() instanceof Place.Offset at) {
      builder
          .setAttribute(Messaging.PARTITION, Integer.toString(at.partition()))
          .setAttribute(Messaging.OFFSET, at.offset());
    } else if (event.place() instanceof Place.Route route) {
      ifKnown(builder, Messaging.ROUTING_KEY, route.routingKey());
    }
    body(builder, client, event.payload().bytes());
    return builder.startSpan();
  }

  /** A span of a handler's call with a batch: it begins a trace, and is linked to all of theirs. */
  Span process(List<ReceivedEvent> events, BrokerClient client) {
    ReceivedEvent first = events.get(0);
    SpanBuilder builder =
        of(
                client,
                MessagingConventions.PROCESS,
                MessagingConventions.PROCESS,
                SpanKind.CONSUMER,
                first.channel())
            .setParent(Context.root())
            .setAttribute(EVENT_TYPE, first.type())
            .setAttribute(Messaging.BATCH, (long) events.size());
    for (ReceivedEvent event : events) {
      TraceContext own = TraceContext.of(event.traceparent(), event.tracestate());
      builder.addLink(Span.fromContext(context(own)).getSpanContext());
    }
    return builder.startSpan();
  }

  private SpanBuilder of(
      BrokerClient client, String operation, String type, SpanKind kind, String destination) {
    SpanBuilder builder =
        tracer
            .spanBuilder(operation + " " + destination)
            .setSpanKind(kind)
            .setAttribute(Messaging.SYSTEM, MessagingConventions.system(client.transport()))
            .setAttribute(Messaging.OPERATION, operation)
            .setAttribute(Messaging.OPERATION_TYPE, type)
            .setAttribute(Messaging.DESTINATION, destination);
    ifKnown(builder, Messaging.CLIENT, client.clientId());
    ifKnown(builder, Messaging.GROUP, client.consumerGroup());
    ifKnown(builder, Messaging.SERVER, client.serverAddress());
    Integer port = client.serverPort();
    if (port != null) {
      builder.setAttribute(Messaging.PORT, port.longValue());
    }
    return builder;
  }

  private void body(SpanBuilder builder, BrokerClient client, byte @Nullable [] body) {
    if (body == null) {
      switch (client.transport()) {
        case KAFKA -> builder.setAttribute(Messaging.TOMBSTONE, true);
        case RABBITMQ -> {}
      }
    }
    if (bodySizes) {
      builder.setAttribute(Messaging.BODY_SIZE, body == null ? 0L : body.length);
    }
  }

  private static void ifKnown(
      SpanBuilder builder, AttributeKey<String> key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      builder.setAttribute(key, value);
    }
  }

  /** The context that a text names; the root where it names none. */
  static Context context(@Nullable TraceContext text) {
    return text == null
        ? Context.root()
        : W3CTraceContextPropagator.getInstance().extract(Context.root(), text, GETTER);
  }

  /** The text that names a span; the given one where the span is none. */
  static @Nullable TraceContext text(Span span, @Nullable TraceContext otherwise) {
    if (!span.getSpanContext().isValid()) {
      return otherwise;
    }
    Map<String, String> text = new HashMap<>();
    W3CTraceContextPropagator.getInstance().inject(Context.root().with(span), text, SETTER);
    TraceContext named =
        TraceContext.of(text.get(TraceContext.TRACEPARENT), text.get(TraceContext.TRACESTATE));
    return named == null ? otherwise : named;
  }

  static void failed(Span span, Throwable failure) {
    span.recordException(failure);
    span.setAttribute(Messaging.ERROR, errorType(failure));
    span.setStatus(StatusCode.ERROR);
  }

  private static String errorType(Throwable failure) {
    String name = failure.getClass().getCanonicalName();
    return name == null ? failure.getClass().getName() : name;
  }
}
