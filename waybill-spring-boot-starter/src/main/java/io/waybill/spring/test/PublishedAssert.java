package io.waybill.spring.test;

import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.spring.DomainEvents;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Published events that meet all conditions so far. Each condition fails with an {@link
 * AssertionError} when no event is left. Immutable.
 */
public final class PublishedAssert {
  private final String condition;
  private final List<Event> found;
  private final List<Event> all;
  private final DomainEvents events;

  PublishedAssert(String condition, List<Event> found, List<Event> all, DomainEvents events) {
    this.condition = condition;
    this.found = found;
    this.all = all;
    this.events = events;
  }

  /**
   * Those of one business object.
   *
   * @param aggregateId its identity within its kind
   * @return narrowed
   */
  public PublishedAssert withKey(String aggregateId) {
    return matching(
        "with key " + aggregateId,
        event -> {
          EventKey key = event.key();
          return key != null && key.aggregateId().equals(aggregateId);
        });
  }

  /**
   * Those of one kind of business object.
   *
   * @param aggregateType the kind
   * @return narrowed
   */
  public PublishedAssert withAggregateType(String aggregateType) {
    return matching(
        "with aggregate type " + aggregateType,
        event -> {
          EventKey key = event.key();
          return key != null && key.aggregateType().equals(aggregateType);
        });
  }

  /**
   * Those with a header.
   *
   * @param name its name
   * @param value its value
   * @return narrowed
   */
  public PublishedAssert withHeader(String name, String value) {
    return matching(
        "with header " + name + "=" + value, event -> value.equals(event.headers().get(name)));
  }

  /**
   * Those of one operation.
   *
   * @param correlationId its correlation id
   * @return narrowed
   */
  public PublishedAssert withCorrelationId(String correlationId) {
    return matching(
        "with correlation id " + correlationId,
        event -> correlationId.equals(event.correlationId()));
  }

  /**
   * Those whose payload is that of an object.
   *
   * @param domainEvent the object; it is serialised and the bytes are compared
   * @return narrowed
   */
  public PublishedAssert withPayload(Object domainEvent) {
    byte[] expected = events.payload(domainEvent).bytes();
    return matching(
        "with the payload of " + domainEvent,
        event -> Arrays.equals(expected, event.payload().bytes()));
  }

  /**
   * Those that meet a condition.
   *
   * @param name how messages name it
   * @param test the condition
   * @return narrowed
   */
  public PublishedAssert matching(String name, Predicate<Event> test) {
    String both = condition + " " + name;
    List<Event> left = found.stream().filter(test).toList();
    if (left.isEmpty()) {
      throw failure("an event " + both);
    }
    return new PublishedAssert(both, left, all, events);
  }

  /**
   * Asserts that there is exactly one event.
   *
   * @return the event
   */
  public Event once() {
    times(1);
    return found.get(0);
  }

  /**
   * Asserts the number of events.
   *
   * @param number expected number
   */
  public void times(int number) {
    if (found.size() != number) {
      throw failure(number + " event(s) " + condition);
    }
  }

  /** There is none. */
  public void never() {
    times(0);
  }

  private AssertionError failure(String expected) {
    return new AssertionError(
        "Expected " + expected + ", but " + found.size() + " " + condition + " of " + shown());
  }

  private String shown() {
    return all.stream()
        .map(event -> event.type() + " " + Objects.toString(event.key(), "without key"))
        .toList()
        .toString();
  }
}
