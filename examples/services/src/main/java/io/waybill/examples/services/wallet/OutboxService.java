package io.waybill.examples.services.wallet;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Saves events. What marks them as sent is Waybill's relay. */
@Service
public class OutboxService {
  private final OutboxRepository repository;
  private final CurrentTrace trace;

  OutboxService(OutboxRepository repository, CurrentTrace trace) {
    this.repository = repository;
    this.trace = trace;
  }

  /**
   * Saves an event in the running transaction; without one it is refused.
   *
   * @param eventType kind of event
   * @param payload the event as JSON
   * @param correlationId what it belongs to, or null
   * @return the saved row
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public OutboxEvent saveOutboxEvent(
      String eventType, String payload, @Nullable String correlationId) {
    return repository.save(new OutboxEvent(eventType, payload, correlationId, trace.traceparent()));
  }

  /**
   * What waits for the relay.
   *
   * @return unsent events
   */
  @Transactional(readOnly = true)
  public List<OutboxEvent> getUnsentEvents() {
    return repository.findBySentFalse();
  }
}
