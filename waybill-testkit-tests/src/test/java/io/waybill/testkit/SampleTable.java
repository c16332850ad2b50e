package io.waybill.testkit;

import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.EventKey;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How the test's events stand in the table of a layout. The event type is the test's name of the
 * event in all of them, since not all have a column for any event id.
 */
abstract class SampleTable {
  private static final AtomicLong NUMBERS = new AtomicLong();

  static final SampleTable OWN = new Own("own", Layouts.WAYBILL);

  static final SampleTable OWN_KEEP = new Own("own_keep", Layouts.WAYBILL_KEEP);

  static final SampleTable NOTIFICATION = new Notification("notification");

  /** The same with ids in a collation of the application's own. */
  static final SampleTable COLLATED = new Notification("collated");

  static final SampleTable EVENT_OUTBOX =
      new SampleTable("event_outbox", Layouts.EVENT_OUTBOX) {
        @Override
        Map<String, @Nullable Object> values(WrittenEvent event) {
          long id = next();
          Map<String, @Nullable Object> values = new LinkedHashMap<>();
          values.put("id", id);
          values.put("event_key", new UUID(0, id).toString());
          values.put("entity_table", event.aggregateType());
          values.put("entity_pk", event.aggregateId());
          values.put("producer_node", "node-1");
          return values;
        }

        @Override
        Set<Ability> abilities() {
          return Set.of(Ability.DELAYS);
        }
      };

  static final SampleTable WALLET =
      new SampleTable("wallet", Layouts.WALLET) {
        @Override
        Map<String, @Nullable Object> values(WrittenEvent event) {
          Map<String, @Nullable Object> values = new LinkedHashMap<>();
          values.put("correlation_id", event.aggregateId());
          return values;
        }

        @Override
        EventKey key(String type, String id) {
          return new EventKey("correlation", id);
        }
      };

  static final SampleTable POLYSHOP =
      new SampleTable("polyshop", Layouts.POLYSHOP) {
        @Override
        Map<String, @Nullable Object> values(WrittenEvent event) {
          Map<String, @Nullable Object> values = new LinkedHashMap<>();
          values.put("id", new UUID(0x7000L, next()));
          values.put("aggregate_id", event.aggregateId());
          return values;
        }

        @Override
        EventKey key(String type, String id) {
          return new EventKey("aggregate", id);
        }
      };

  private final String name;
  private final Layout layout;

  private SampleTable(String name, Layout layout) {
    this.name = name;
    this.layout = layout;
  }

  String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }

  Layout layout() {
    return layout;
  }

  /** Columns of an event, besides its type, payload and delay. */
  abstract Map<String, @Nullable Object> values(WrittenEvent event);

  Set<Ability> abilities() {
    return Set.of();
  }

  EventKey key(String type, String id) {
    return new EventKey(type, id);
  }

  /** Numbers that the tests give out begin again. */
  void renumber() {
    NUMBERS.set(0);
  }

  static long next() {
    return NUMBERS.incrementAndGet();
  }

  private static final class Notification extends SampleTable {
    private final Map<String, Long> numbers = new ConcurrentHashMap<>();

    Notification(String name) {
      super(name, Layouts.NOTIFICATION);
    }

    @Override
    Map<String, @Nullable Object> values(WrittenEvent event) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      values.put("event_id", "event-%010d".formatted(next()));
      values.put("aggregate_type", event.aggregateType());
      values.put("aggregate_id", number(String.valueOf(event.aggregateId())));
      return values;
    }

    private long number(String aggregateId) {
      return numbers.computeIfAbsent(aggregateId, id -> next());
    }

    @Override
    EventKey key(String type, String id) {
      return new EventKey(type, Long.toString(number(id)));
    }
  }

  private static final class Own extends SampleTable {
    Own(String name, Layout layout) {
      super(name, layout);
    }

    @Override
    Map<String, @Nullable Object> values(WrittenEvent event) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      values.put("event_id", event.eventId());
      values.put("aggregate_type", event.aggregateType());
      values.put("aggregate_id", event.aggregateId());
      return values;
    }

    @Override
    Set<Ability> abilities() {
      return Set.of(Ability.BYTES, Ability.TOMBSTONES, Ability.NO_KEY, Ability.DELAYS);
    }
  }
}
