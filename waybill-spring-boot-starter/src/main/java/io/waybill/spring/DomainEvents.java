package io.waybill.spring;

import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.message.PayloadSerializer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Converts objects of classes with {@link WaybillEvent} into events. Thread-safe.
 *
 * <p>A class that breaks a rule of the annotation is refused when its first object is converted.
 */
public final class DomainEvents {
  private static final Map<Class<?>, EventDescription> DESCRIPTIONS = new ConcurrentHashMap<>();

  private final PayloadSerializer<Object> serializer;

  /**
   * Uses a serialiser.
   *
   * @param serializer makes the payload of the whole object
   */
  public DomainEvents(PayloadSerializer<Object> serializer) {
    this.serializer = Objects.requireNonNull(serializer, "serializer");
  }

  /**
   * Turns an object into an event with a new id.
   *
   * @param domainEvent object of a class with {@link WaybillEvent}
   * @return the event
   * @throws DomainEventException if the class has no such annotation or breaks its rules; if the
   *     property that identifies the business object is null; if the object cannot be serialised
   */
  public Event toEvent(Object domainEvent) {
    EventDescription description = describe(domainEvent.getClass());
    return description.event(domainEvent, payload(domainEvent));
  }

  /**
   * The payload that an object of a domain event becomes.
   *
   * @param domainEvent any object
   * @return its bytes and their media type
   * @throws DomainEventException if it cannot be serialised
   */
  public Payload payload(Object domainEvent) {
    try {
      return serializer.serialize(domainEvent);
    } catch (RuntimeException e) {
      throw new DomainEventException(domainEvent.getClass(), "cannot be serialised", e);
    }
  }

  /**
   * The type on the wire of a class's events.
   *
   * @param domainEvent class with {@link WaybillEvent}
   * @return event type
   * @throws DomainEventException if the class has no such annotation or breaks its rules
   */
  public static String typeOf(Class<?> domainEvent) {
    return describe(domainEvent).type();
  }

  private static EventDescription describe(Class<?> type) {
    return DESCRIPTIONS.computeIfAbsent(type, EventDescription::of);
  }
}
