package io.waybill.proof.explore;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.OutboxRow;
import io.waybill.store.Polling;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an engine's future depends on, as bytes: all fields of all objects that it
 * reaches. Times are relative to its clock and numbers to their counters, so that engines which
 * came to the same state on different ways are equal. A field or class of unknown meaning is an
 * error.
 */
final class Fingerprint {
  /** Times longer ago than any interval or pause make no difference. */
  private static final long LONG_AGO = Scope.TICK_NANOS / 2;

  private static final Set<Class<?>> CONSTANT =
      Set.of(
          EngineSettings.class,
          MessageMapper.class,
          RetryPolicy.class,
          Function.class,
          Polling.Rhythm.class);

  private final Bytes out = new Bytes();
  private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
  private final long now;
  private final long nextSend;
  private final long lastTimer;
  private final long settlement;
  private final long answers;

  private Fingerprint(Live live) {
    RelayEngine engine = live.engine;
    this.now = live.now;
    this.nextSend = nextSend(engine);
    Object timers = part(part(engine, "failures"), "timers");
    this.lastTimer = Fields.named(timers.getClass(), "sequence").number(timers);
    Object settling = part(engine, "settlements");
    this.settlement = Fields.named(settling.getClass(), "id").number(settling);
    Object destinations = part(part(engine, "flow"), "destinations");
    this.answers = Fields.named(destinations.getClass(), "answers").number(destinations);
  }

  static Bytes.Image of(Live live) {
    Fingerprint print = new Fingerprint(live);
    print.object(live.engine);
    for (Line line : Line.values()) {
      Live.Asked asked = live.asked.get(line);
      print.object(asked == null ? null : asked.call());
      if (asked != null && isTimed(asked.call())) {
        print.out.number(live.now - asked.since());
      }
    }
    return print.out.image();
  }

  /** A lease is counted from the moment at which it was asked for. */
  private static boolean isTimed(Effect.Call call) {
    return call instanceof Effect.Join || call instanceof Effect.Renew;
  }

  /** The number that the engine's next send will have. */
  static long nextSend(RelayEngine engine) {
    Object sender = part(part(engine, "flow"), "sender");
    return Fields.named(sender.getClass(), "nextSendId").number(sender);
  }

  private static Object part(Object owner, String field) {
    return Fields.named(owner.getClass(), field).of(owner);
  }

  private void object(@Nullable Object object) {
    if (object == null) {
      out.put(0);
    } else if (object instanceof Integer || object instanceof Long) {
      out.put(1);
      out.number(((Number) object).longValue());
    } else if (object instanceof Boolean flag) {
      out.put(flag ? 2 : 3);
    } else if (object instanceof String text) {
      out.put(4);
      out.text(text);
    } else if (object instanceof Enum<?> constant) {
      out.put(5);
      out.text(constant.name());
    } else if (object instanceof OutboxRow row) {
      out.put(row.replay() ? 6 : 7);
      out.number(Rows.index(row));
    } else {
      values(object);
    }
  }

  private void values(Object object) {
    if (object instanceof EventKey || object instanceof Destination || object instanceof Duration) {
      out.put(8);
      out.text(object.toString());
    } else if (object instanceof Outgoing message) {
      out.put(9);
      out.number(nextSend - message.sendId());
      out.number(Rows.index(message));
    } else if (object instanceof Confirmation confirmation) {
      // What was reported of a send that has come home.
      out.put(10);
      out.text(confirmation.getClass().getSimpleName());
    } else if (object instanceof Map<?, ?> map) {
      map(map);
    } else if (object instanceof Collection<?> collection) {
      collection(collection);
    } else if (object.getClass().isArray()) {
      array(object);
    } else {
      part(object);
    }
  }

  private void map(Map<?, ?> map) {
    out.put(11);
    out.number(map.size());
    List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
    if (map.getClass() == HashMap.class) {
      entries.sort(Comparator.comparing(entry -> String.valueOf(entry.getKey())));
    }
    for (Map.Entry<?, ?> entry : entries) {
      object(entry.getKey());
      object(entry.getValue());
    }
  }

  private void collection(Collection<?> collection) {
    out.put(12);
    out.number(collection.size());
    List<Object> elements = new ArrayList<>(collection);
    if (collection instanceof PriorityQueue<?> queue) {
      elements.sort(orderOf(queue));
    } else if (collection instanceof Set && !(collection instanceof LinkedHashSet)) {
      elements.sort(Comparator.comparing(String::valueOf));
    }
    elements.forEach(this::object);
  }

  @SuppressWarnings("unchecked")
  private static Comparator<Object> orderOf(PriorityQueue<?> queue) {
    return (Comparator<Object>) queue.comparator();
  }

  private void array(Object array) {
    out.put(13);
    for (int i = 0; i < Array.getLength(array); i++) {
      Object element = Array.get(array, i);
      if (element != null) {
        out.number(i);
        object(element);
      }
    }
    out.number(-1);
  }

  private void part(Object object) {
    Class<?> type = object.getClass();
    Integer known = type.isRecord() ? null : seen.putIfAbsent(object, seen.size());
    if (known != null) {
      out.put(14);
      out.number(known);
      return;
    }
    if (!type.getPackageName().startsWith("io.waybill.") || type.isHidden()) {
      throw new IllegalStateException("what is a " + type + "? Say it in " + Fingerprint.class);
    }
    out.put(15);
    out.text(type.getSimpleName());
    if (type.getSimpleName().equals("InFlight")) {
      inFlight(object);
    } else {
      Fields.of(type).forEach(field -> field(object, field));
    }
  }

  private void field(Object owner, Fields.Known known) {
    Class<?> type = known.field().getType();
    if (type == long.class) {
      number(known.number(owner), known.meaning());
    } else if (!CONSTANT.contains(type)) {
      object(known.of(owner));
    }
  }

  private void number(long value, Fields.Meaning meaning) {
    switch (meaning) {
      case PLAIN -> out.number(value);
      case DUE -> out.number(value == Long.MIN_VALUE ? -1 : Math.max(0, value - now));
      case PAST -> out.number(value == Long.MIN_VALUE ? LONG_AGO : Math.min(LONG_AGO, now - value));
      case SEND -> out.number(nextSend - value);
      case TIMER -> out.number(value == 0 ? -1 : lastTimer - value);
      case SETTLEMENT -> out.number(settlement - value);
      case ANSWERS -> out.put(value == answers ? 0 : 1);
      case NOTHING -> {}
    }
  }

  /** Its slots are many, and those that are empty hold old numbers. */
  private void inFlight(Object table) {
    if (!((Map<?, ?>) part(table, "displaced")).isEmpty()) {
      throw new IllegalStateException("more sends in flight than an exploration has");
    }
    int left = (Integer) part(table, "size");
    Object[] entries = (Object[]) part(table, "entries");
    long[] ids = (long[]) part(table, "ids");
    out.number(left);
    for (int i = 0; left > 0; i++) {
      if (entries[i] != null) {
        left--;
        out.number(nextSend - ids[i]);
        object(entries[i]);
      }
    }
  }
}
