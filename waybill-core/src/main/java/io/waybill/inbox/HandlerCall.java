package io.waybill.inbox;

import io.waybill.message.ReceivedEvent;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Calls handlers, with event id and trace id in the logging context. Thread-safe. */
final class HandlerCall {
  private static final String EVENT_ID = "eventId";
  private static final String EVENT_TYPE = "eventType";
  private static final String TRACE_ID = "traceId";
  private static final int TRACE_ID_START = 3;
  private static final int TRACE_ID_END = 35;

  private final Interceptor interceptor;
  private final ErrorClassifier classifier;

  HandlerCall(Interceptor interceptor, ErrorClassifier classifier) {
    this.interceptor = interceptor;
    this.classifier = classifier;
  }

  /** Null if the handler returned. */
  @Nullable Failure call(List<Task> tasks, Connection connection) {
    Plan.Handle plan = (Plan.Handle) tasks.get(0).plan();
    List<ReceivedEvent> events =
        tasks.stream().map(task -> Objects.requireNonNull(task.event(), "event")).toList();
    enter(events);
    try {
      BatchHandler handler = plan.registration().handler();
      interceptor.around(events, () -> handler.handle(events, connection));
      return null;
    } catch (Throwable thrown) {
      return failure(thrown);
    } finally {
      MDC.remove(EVENT_ID);
      MDC.remove(EVENT_TYPE);
      MDC.remove(TRACE_ID);
    }
  }

  Failure failure(Throwable thrown) {
    return Failure.of(thrown, classifier);
  }

  private static void enter(List<ReceivedEvent> events) {
    ReceivedEvent first = events.get(0);
    MDC.put(EVENT_TYPE, first.type());
    if (events.size() > 1) {
      return;
    }
    MDC.put(EVENT_ID, first.id());
    String traceId = traceId(first);
    if (traceId != null) {
      MDC.put(TRACE_ID, traceId);
    }
  }

  private static @Nullable String traceId(ReceivedEvent event) {
    String traceparent = event.traceparent();
    return traceparent == null || traceparent.length() < TRACE_ID_END
        ? event.metadata().get(TRACE_ID)
        : traceparent.substring(TRACE_ID_START, TRACE_ID_END);
  }
}
