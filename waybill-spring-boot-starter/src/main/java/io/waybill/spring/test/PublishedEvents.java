package io.waybill.spring.test;

import io.waybill.message.Event;
import io.waybill.spring.DomainEvents;
import io.waybill.spring.InMemoryOutbox;
import java.util.List;
import java.util.Objects;

/**
 * The events of a test's committed transactions; a bean with {@code waybill.outbox.mode=memory}.
 * Thread-safe.
 *
 * <pre>{@code
 * events.published(OrderPlaced.class).withKey("42").withHeader("tenant", "acme").once();
 * events.published(OrderCancelled.class).never();
 * }</pre>
 */
public final class PublishedEvents {
  private final InMemoryOutbox outbox;
  private final DomainEvents events;

  /**
   * Looks into an outbox.
   *
   * @param outbox outbox of the test
   * @param events turns objects into events, for comparisons
   */
  public PublishedEvents(InMemoryOutbox outbox, DomainEvents events) {
    this.outbox = Objects.requireNonNull(outbox, "outbox");
    this.events = Objects.requireNonNull(events, "events");
  }

  /**
   * Events of a class.
   *
   * @param domainEvent class with {@link io.waybill.spring.WaybillEvent}
   * @return its published events, at least one unless {@link PublishedAssert#never} is asked next
   */
  public PublishedAssert published(Class<?> domainEvent) {
    return published(DomainEvents.typeOf(domainEvent));
  }

  /**
   * Events of a type.
   *
   * @param type event type on the wire
   * @return its published events
   */
  public PublishedAssert published(String type) {
    List<Event> found = all().stream().filter(event -> event.type().equals(type)).toList();
    return new PublishedAssert("of type " + type, found, all(), events);
  }

  /**
   * All published events.
   *
   * @return events in the order of their commits
   */
  public List<Event> all() {
    return outbox.events();
  }

  /** Forgets all events, for example before each test. */
  public void clear() {
    outbox.clear();
  }
}
