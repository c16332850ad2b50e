package io.waybill.spring;

import io.micrometer.observation.ObservationRegistry;
import io.waybill.message.Event;
import io.waybill.spring.observation.AppendContext;
import io.waybill.spring.observation.AppendObservationConvention;
import io.waybill.spring.observation.DefaultAppendObservationConvention;
import io.waybill.spring.observation.WaybillObservation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An observation around every call that appends events. Thread-safe. */
final class ObservedOutbox implements SpringOutbox {
  private final SpringOutbox outbox;
  private final ObservationRegistry registry;
  private final @Nullable AppendObservationConvention convention;
  private final AppendObservationConvention usual = new DefaultAppendObservationConvention();

  ObservedOutbox(
      SpringOutbox outbox,
      ObservationRegistry registry,
      @Nullable AppendObservationConvention convention) {
    this.outbox = outbox;
    this.registry = registry;
    this.convention = convention;
  }

  @Override
  public void append(List<Event> events) {
    if (events.isEmpty()) {
      outbox.append(events);
    } else {
      // The outbox gives the events their trace context, which is then that of this observation.
      WaybillObservation.APPEND
          .observation(convention, usual, () -> new AppendContext(events), registry)
          .observe(() -> outbox.append(events));
    }
  }
}
