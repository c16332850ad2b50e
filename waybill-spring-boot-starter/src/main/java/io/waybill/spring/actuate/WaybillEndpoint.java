package io.waybill.spring.actuate;

import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The operator's view: {@code GET /actuator/waybill} for numbers, {@code /waybill/events |
 * destinations | relays | lanes | audit}, {@code /waybill/events/ID}. Changes are the API's.
 * Payloads are never shown. Thread-safe: each call uses its own connection.
 */
@Endpoint(id = "waybill", defaultAccess = Access.READ_ONLY)
public final class WaybillEndpoint {
  private static final int MOST = 1_000;

  private final Map<String, Supplier<Admin>> admins;

  /**
   * Opens an admin for each call.
   *
   * @param admins opens one with its own connection, by the name of the outbox
   */
  public WaybillEndpoint(Map<String, Supplier<Admin>> admins) {
    this.admins = new LinkedHashMap<>(admins);
  }

  /**
   * Numbers and living relays.
   *
   * @param outbox which outbox, where there are several
   * @return by name; of several outboxes, by the outbox's name first
   */
  @ReadOperation
  public Map<String, Object> summary(@Nullable String outbox) {
    if (outbox != null || admins.size() == 1) {
      return one(outbox);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    admins.keySet().forEach(name -> all.put(name, one(name)));
    return all;
  }

  private Map<String, Object> one(@Nullable String outbox) {
    return ask(
        outbox,
        admin -> {
          Map<String, Object> summary = new LinkedHashMap<>();
          summary.put("counts", admin.counts());
          summary.put("relays", admin.sessions());
          summary.put("destinations", admin.destinations());
          return summary;
        });
  }

  /**
   * A list.
   *
   * @param view events, destinations, relays, lanes or audit
   * @param outbox which outbox, where there are several
   * @param status status of events
   * @param type type of events
   * @param aggregateType first part of their key
   * @param aggregateId second part of their key
   * @param after next of the previous page of events
   * @param limit most entries, at most 1,000; 100 by default
   * @return the entries; of events also the next, unless this is the last page
   */
  @ReadOperation
  public Map<String, Object> list(
      @Selector String view,
      @Nullable String outbox,
      @Nullable EventStatus status,
      @Nullable String type,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable String after,
      @Nullable Integer limit) {
    EventFilter filter = new EventFilter(List.of(), status, type, aggregateType, aggregateId);
    int most = bounded(limit);
    return ask(
        outbox,
        admin ->
            switch (view) {
              case "events" -> events(admin.find(filter, after, most));
              case "destinations" -> Map.of(view, admin.destinations());
              case "relays" -> Map.of(view, admin.sessions());
              case "lanes" -> Map.of(view, admin.lanes());
              case "audit" -> Map.of(view, admin.audit(Long.MAX_VALUE, most));
              default ->
                  throw refused("must be events, destinations, relays, lanes or audit, is " + view);
            });
  }

  private static Map<String, Object> events(EventPage page) {
    Map<String, Object> events = new LinkedHashMap<>();
    events.put("events", page.events());
    putIfGiven(events, "next", page.next());
    return events;
  }

  /**
   * One event, without its payload.
   *
   * @param view events
   * @param id event id
   * @param outbox which outbox, where there are several
   * @return the event, or null if there is none
   */
  @ReadOperation
  public @Nullable Map<String, Object> show(
      @Selector String view, @Selector String id, @Nullable String outbox) {
    if (!view.equals("events")) {
      throw refused("must be events, is " + view);
    }
    Optional<EventDetail> found = ask(outbox, admin -> admin.show(id));
    return found.map(WaybillEndpoint::shown).orElse(null);
  }

  private static Map<String, Object> shown(EventDetail detail) {
    EventView event = detail.event();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("event", event);
    shown.put("eventVersion", detail.eventVersion());
    shown.put("contentType", detail.contentType());
    shown.put("audit", detail.audit());
    putIfGiven(shown, "correlationId", detail.correlationId());
    putIfGiven(shown, "causationId", detail.causationId());
    putIfGiven(shown, "traceparent", detail.traceparent());
    return shown;
  }

  private static void putIfGiven(Map<String, Object> map, String key, @Nullable Object value) {
    if (value != null) {
      map.put(key, value);
    }
  }

  private static int bounded(@Nullable Integer limit) {
    if (limit != null && (limit < 1 || limit > MOST)) {
      throw refused("limit must be 1 to " + MOST + ", is " + limit);
    }
    return limit == null ? 100 : limit;
  }

  private static InvalidEndpointRequestException refused(String reason) {
    return new InvalidEndpointRequestException(reason, reason);
  }

  private <T> T ask(@Nullable String outbox, Function<Admin, T> question) {
    Supplier<Admin> chosen =
        outbox == null && admins.size() == 1
            ? admins.values().iterator().next()
            : admins.get(outbox);
    if (chosen == null) {
      throw refused("outbox must be one of " + String.join(", ", admins.keySet()));
    }
    try (Admin admin = chosen.get()) {
      return question.apply(admin);
    }
  }
}
