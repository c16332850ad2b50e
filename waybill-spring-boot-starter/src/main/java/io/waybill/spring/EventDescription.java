package io.waybill.spring;

import io.waybill.message.Event;
import io.waybill.message.Payload;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** What {@link WaybillEvent} says about a class, checked. */
record EventDescription(
    Class<?> source,
    String type,
    int version,
    @Nullable Key key,
    Map<String, PropertyPath> headers,
    @Nullable PropertyPath correlationId) {

  /** The business object. */
  record Key(String aggregateType, PropertyPath aggregateId) {}

  static EventDescription of(Class<?> source) {
    WaybillEvent annotation =
        AnnotatedElementUtils.findMergedAnnotation(source, WaybillEvent.class);
    if (annotation == null) {
      throw new DomainEventException(source, "must have the annotation @WaybillEvent", null);
    }
    String type = annotation.type().isEmpty() ? source.getSimpleName() : annotation.type();
    return new EventDescription(
        source,
        type,
        annotation.version(),
        key(source, annotation),
        headers(source, annotation.headers()),
        path(source, annotation.correlationId()));
  }

  private static @Nullable Key key(Class<?> source, WaybillEvent annotation) {
    PropertyPath id = path(source, annotation.aggregateId());
    String aggregateType = annotation.aggregateType();
    if ((id == null) != aggregateType.isEmpty()) {
      throw new DomainEventException(
          source, "aggregateType and aggregateId must be given together, one is missing", null);
    }
    return id == null ? null : new Key(aggregateType, id);
  }

  private static Map<String, PropertyPath> headers(Class<?> source, String[] texts) {
    Map<String, PropertyPath> headers = new LinkedHashMap<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new DomainEventException(
            source, "header '" + text + "' must be a name, '=' and a property", null);
      }
      PropertyPath path = PropertyPath.parse(source, text.substring(equals + 1).strip());
      headers.put(text.substring(0, equals).strip(), path);
    }
    return headers;
  }

  private static @Nullable PropertyPath path(Class<?> source, String text) {
    return text.isEmpty() ? null : PropertyPath.parse(source, text);
  }

  Event event(Object object, Payload payload) {
    Event.Builder event = builder(object).version(version).payload(payload);
    headers.forEach(
        (name, path) -> {
          String value = path.read(object);
          if (value != null) {
            event.header(name, value);
          }
        });
    if (correlationId != null) {
      event.correlationId(correlationId.read(object));
    }
    return event.build();
  }

  private Event.Builder builder(Object object) {
    if (key == null) {
      return Event.builder(type);
    }
    String id = key.aggregateId().read(object);
    if (id == null) {
      throw new DomainEventException(
          source, "property '" + key.aggregateId() + "' identifies the object, but is null", null);
    }
    return Event.builder(type, key.aggregateType(), id);
  }
}
