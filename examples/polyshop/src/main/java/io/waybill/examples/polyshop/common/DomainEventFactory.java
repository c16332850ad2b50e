package io.waybill.examples.polyshop.common;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Makes events of entities: their payload is the data alone. The relay wraps the envelope. */
@Component
@Profile("!gateway")
public class DomainEventFactory {
  private final JsonMapper json;

  DomainEventFactory(JsonMapper json) {
    this.json = json;
  }

  /**
   * Makes an event.
   *
   * @param eventType kind of event, and topic
   * @param aggregateId the entity: its events stay in order
   * @param data what becomes the envelope's data
   * @return an event to save
   */
  public OutboxEvent event(String eventType, String aggregateId, Object data) {
    return new OutboxEvent(aggregateId, eventType, json.writeValueAsString(data));
  }
}
