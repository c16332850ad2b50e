package io.waybill.examples.services.wallet;

import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.EventLimits;
import io.waybill.message.Headers;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Payload;
import io.waybill.message.Transport;
import io.waybill.message.Violation;
import io.waybill.route.TransportRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Saves, marks and lists events. What no broker could take is refused before it is saved.
 * Thread-safe.
 */
@Service
public class OutboxService {
  // A TEXT of MySQL and MariaDB ends here.
  private static final int MAX_PAYLOAD_BYTES = 65_535;
  private static final EventLimits LIMITS =
      EventLimits.builder().maxPayloadBytes(MAX_PAYLOAD_BYTES).jsonChecked(true).build();

  private final OutboxRepository repository;
  private final EventTraces traces;

  OutboxService(OutboxRepository repository, EventTraces traces) {
    this.repository = repository;
    this.traces = traces;
  }

  /**
   * Saves an event in the running transaction; without one it is refused.
   *
   * @param eventType kind of event; with {@code -out-0} after it, a topic name
   * @param payload the event as JSON of at most 65,535 bytes
   * @param correlationId what it belongs to, or null
   * @return the saved row
   * @throws InvalidEventException naming each field, rule and value; nothing is saved
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public OutboxEvent saveOutboxEvent(
      String eventType, String payload, @Nullable String correlationId) {
    check(eventType, payload, correlationId);
    OutboxEvent saved = repository.save(new OutboxEvent(eventType, payload, correlationId));
    traces.keep(Objects.requireNonNull(saved.getId()));
    return saved;
  }

  /**
   * Marks an event as sent. The relay does this by itself after the broker's confirmation; by hand
   * it keeps an event from being sent that no relay has read yet.
   *
   * @param event a saved event
   * @return the marked row
   */
  @Transactional
  public OutboxEvent markEventAsSent(OutboxEvent event) {
    event.markSent();
    return repository.save(event);
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

  private static void check(String eventType, String payload, @Nullable String correlationId) {
    EventKey key = correlationId == null ? null : new EventKey("correlation", correlationId);
    Event event =
        new Event(
            "unsaved",
            eventType,
            1,
            key,
            Payload.json(payload),
            Headers.NONE,
            null,
            null,
            null,
            null);
    List<Violation> violations = new ArrayList<>(LIMITS.violations(event));
    Destination topic = Destination.topic(eventType + "-out-0");
    if (TransportRules.violation(Transport.KAFKA, topic) != null) {
      violations.add(
          new Violation(
              "eventType", "must be 1 to 243 of A-Z a-z 0-9 . _ -, for its topic", eventType));
    }
    if (!violations.isEmpty()) {
      throw new InvalidEventException(null, violations);
    }
  }
}
