package io.waybill.internal.relay.rules;

import io.waybill.internal.encode.Encoder;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.internal.route.Routes;
import io.waybill.internal.route.Routing;
import io.waybill.internal.store.HeaderJson;
import io.waybill.internal.text.Quoted;
import io.waybill.message.EventLimits;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.TraceContext;
import io.waybill.message.Violation;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Turns a row into its message: headers, route, format. Rows need not come from the write API,
 * which is why their headers are checked again. Thread-safe.
 */
public final class RoutedMapper implements MessageMapper {
  // The text is kept with the failed row.
  private static final int SHOWN_VIOLATIONS = 3;

  private final Routes routes;
  private final Encoder encoder;
  private final EventLimits limits;

  /**
   * Creates a mapper from its stages.
   *
   * @param routes finds the destination
   * @param encoder makes the body
   * @param limits limits of headers; at least as wide as the writers' limits
   */
  public RoutedMapper(Routes routes, Encoder encoder, EventLimits limits) {
    this.routes = Objects.requireNonNull(routes, "routes");
    this.encoder = Objects.requireNonNull(encoder, "encoder");
    this.limits = Objects.requireNonNull(limits, "limits");
  }

  @Override
  public Mapped map(OutboxRow row, long sendId) {
    if (!row.whole()) {
      return new Mapped.Unmappable(
          "too-large",
          "Row "
              + row.rowId()
              + ": payload, headers and texts have "
              + row.storedBytes()
              + " bytes in total, more than this relay reads");
    }
    if (row.eventId().isEmpty() || row.eventType().isEmpty()) {
      return new Mapped.Unmappable(
          "bad-row",
          "Row " + row.rowId() + ": event id and event type must be given, one of them is not");
    }
    if (row.eventVersion() == OutboxRow.NO_VERSION) {
      return new Mapped.Unmappable(
          "bad-row", "Row " + row.rowId() + ": the event version has more than 32 bits");
    }
    HeaderJson.Parsed parsed = HeaderJson.read(row.headersJson());
    if (parsed instanceof HeaderJson.Parsed.Malformed malformed) {
      return badHeaders(row, "headers " + malformed.rule());
    }
    Headers own =
        TraceContext.kept(row.traceparent(), ((HeaderJson.Parsed.Valid) parsed).headers());
    List<Violation> violations = limits.violations(own);
    if (!violations.isEmpty()) {
      return badHeaders(row, shown(violations));
    }
    Routing routing = routes.route(row, own);
    if (routing instanceof Routing.Unroutable unroutable) {
      return new Mapped.Unmappable(unroutable.reason(), unroutable.detail());
    }
    Routing.Routed routed = (Routing.Routed) routing;
    return encoder.encode(row, merged(own, routed.headers()), routed.destination(), sendId);
  }

  private static Headers merged(Headers own, List<Header> added) {
    if (added.isEmpty()) {
      return own;
    }
    Set<String> replaced = added.stream().map(Header::name).collect(Collectors.toSet());
    List<Header> merged = new ArrayList<>(own.list());
    merged.removeIf(header -> replaced.contains(header.name()));
    merged.addAll(added);
    return new Headers(merged);
  }

  private static String shown(List<Violation> violations) {
    String first =
        violations.stream()
            .limit(SHOWN_VIOLATIONS)
            .map(Violation::toString)
            .collect(Collectors.joining("; "));
    int more = violations.size() - SHOWN_VIOLATIONS;
    return more > 0 ? first + "; and " + more + " more" : first;
  }

  private static Mapped badHeaders(OutboxRow row, String rules) {
    return new Mapped.Unmappable("bad-headers", "Event " + Quoted.of(row.eventId()) + ": " + rules);
  }
}
