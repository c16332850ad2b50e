package io.waybill.spring.inbox;

import io.waybill.handler.PermanentException;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.PayloadMapper;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** What a handler method is called with, from the types of its parameters. Thread-safe. */
final class Arguments {
  private final List<Argument> arguments;
  private final boolean batch;
  private final PayloadMapper mapper;

  private enum Kind {
    EVENT,
    PAYLOAD,
    CONNECTION
  }

  private record Argument(Kind kind, ResolvableType type) {}

  private Arguments(List<Argument> arguments, boolean batch, PayloadMapper mapper) {
    this.arguments = arguments;
    this.batch = batch;
    this.mapper = mapper;
  }

  /**
   * Looks at a method.
   *
   * @throws IllegalArgumentException if it takes something else than a handler may
   */
  static Arguments of(Method method, PayloadMapper mapper) {
    List<Argument> arguments = new ArrayList<>();
    Set<Kind> kinds = new HashSet<>();
    Set<Boolean> lists = new HashSet<>();
    for (int i = 0; i < method.getParameterCount(); i++) {
      ResolvableType type = ResolvableType.forMethodParameter(method, i);
      boolean list = type.toClass() == List.class;
      Argument argument = argument(list ? type.getGeneric(0) : type);
      if (!kinds.add(argument.kind())) {
        throw new IllegalArgumentException("must take event, payload and connection once each");
      }
      if (argument.kind() != Kind.CONNECTION) {
        lists.add(list);
      }
      arguments.add(argument);
    }
    if (lists.isEmpty()) {
      throw new IllegalArgumentException("must take the event or its payload");
    }
    if (lists.size() > 1) {
      throw new IllegalArgumentException("must take lists of both, events and payloads, or none");
    }
    return new Arguments(arguments, lists.contains(true), mapper);
  }

  private static Argument argument(ResolvableType type) {
    Class<?> plain = type.toClass();
    if (plain == Connection.class) {
      return new Argument(Kind.CONNECTION, type);
    }
    return new Argument(plain == ReceivedEvent.class ? Kind.EVENT : Kind.PAYLOAD, type);
  }

  /** Whether the method takes several events at once. */
  boolean batch() {
    return batch;
  }

  /** The class that payloads are read as, or null. */
  @Nullable Class<?> payload() {
    return arguments.stream()
        .filter(argument -> argument.kind() == Kind.PAYLOAD)
        .<@Nullable Class<?>>map(argument -> argument.type().toClass())
        .findFirst()
        .orElse(null);
  }

  /** The values of one call. */
  @Nullable Object[] values(List<ReceivedEvent> events, Connection connection) {
    @Nullable Object[] values = new @Nullable Object[arguments.size()];
    for (int i = 0; i < values.length; i++) {
      Argument argument = arguments.get(i);
      values[i] =
          switch (argument.kind()) {
            case CONNECTION -> connection;
            case EVENT -> batch ? events : events.get(0);
            case PAYLOAD -> payloads(events, argument.type().getType());
          };
    }
    return values;
  }

  private @Nullable Object payloads(List<ReceivedEvent> events, Type type) {
    if (!batch) {
      return read(events.get(0), type);
    }
    List<@Nullable Object> payloads = new ArrayList<>(events.size());
    events.forEach(event -> payloads.add(read(event, type)));
    return payloads;
  }

  private @Nullable Object read(ReceivedEvent event, Type type) {
    Payload payload = event.payload();
    if (type == Payload.class) {
      return payload;
    }
    if (payload.bytes() == null) {
      return null;
    }
    try {
      return mapper.read(payload, type);
    } catch (Exception e) {
      throw new PermanentException(
          "payload of type " + event.type() + " can't be read: " + e.getClass().getName(), e);
    }
  }
}
