package io.waybill.internal.relay.rules;

import io.waybill.encode.Format;
import io.waybill.internal.encode.Encoder;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.internal.route.Routes;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.route.Route;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The routes, formats, retries and failure policies of an outbox's events. Immutable. */
public final class RelayRoutes {
  private final Transport transport;
  private final @Nullable Formatted byDefault;
  private final Map<String, Formatted> byType;
  private final @Nullable String source;
  private final RetryPolicy retry;
  private final FailurePolicy failure;
  private final Map<String, FailurePolicy> failures;
  private final @Nullable Function<String, FailurePolicy> anyFailure;
  private final EventLimits limits;

  private RelayRoutes(Builder parts) {
    this.transport = parts.transport;
    this.byDefault = parts.byDefault;
    this.byType = Collections.unmodifiableMap(new LinkedHashMap<>(parts.byType));
    this.source = parts.source;
    this.retry = parts.retry;
    this.failure = parts.failure;
    this.failures = Map.copyOf(parts.failures);
    this.anyFailure = parts.anyFailure;
    this.limits = parts.limits;
  }

  private record Formatted(Route route, Format format) {}

  /**
   * Starts building routes.
   *
   * @param transport kind of broker that they lead to
   * @return a builder without routes
   */
  public static Builder builder(Transport transport) {
    return new Builder(transport);
  }

  /**
   * Finds the destination of each event.
   *
   * @return routes
   * @throws io.waybill.route.InvalidRouteException if a route does not fit the kind of broker
   */
  public Routes routes() {
    Routes.Builder routes = Routes.builder(transport);
    if (byDefault != null) {
      routes.byDefault(byDefault.route());
    }
    byType.forEach((type, to) -> routes.forType(type, to.route()));
    return routes.build();
  }

  private Encoder encoder() {
    Encoder.Builder encoder = Encoder.builder(transport).source(source);
    if (byDefault != null) {
      encoder.byDefault(byDefault.format());
    }
    byType.forEach((type, to) -> encoder.forType(type, to.format()));
    return encoder.build();
  }

  /**
   * The rules that a relay follows.
   *
   * @return rules
   * @throws IllegalArgumentException if a route or format does not fit the kind of broker
   */
  public RelayRules rules() {
    MessageMapper mapper = new RoutedMapper(routes(), encoder(), limits);
    return new RelayRules(mapper, retry, this::failure);
  }

  private FailurePolicy failure(String destination) {
    FailurePolicy own = failures.get(destination);
    if (own == null) {
      return anyFailure == null ? failure : anyFailure.apply(destination);
    }
    return own;
  }

  /**
   * Destinations whose name does not depend on the event, those of dead letters included.
   *
   * @return destinations; a routing key that depends on the event is left empty
   */
  public List<Destination> destinations() {
    return destinations(false);
  }

  /**
   * Destinations whose topic or exchange does not depend on the event, those of dead letters
   * included.
   *
   * @return destinations; a routing key that depends on the event is given as its template
   */
  public List<Destination> templates() {
    return destinations(true);
  }

  private List<Destination> destinations(boolean templates) {
    Stream<Destination> live =
        routed()
            .filter(route -> !isTemplate(route.target().toString()))
            .map(route -> destination(route, templates));
    return Stream.concat(live, deadLetters())
        .filter(destination -> !destination.name().isEmpty())
        .distinct()
        .toList();
  }

  private static Destination destination(Route route, boolean templates) {
    String key = route.routingKey().toString();
    return new Destination(
        route.target().toString(),
        isTemplate(key) && !templates ? "" : key,
        // A template is no number yet: that there is one is enough for checks.
        route.partition() == null ? null : 0,
        route.timestamp());
  }

  private static boolean isTemplate(String text) {
    return text.contains("{");
  }

  private Stream<Route> routed() {
    return Stream.concat(Stream.ofNullable(byDefault), byType.values().stream())
        .map(Formatted::route);
  }

  private Stream<Destination> deadLetters() {
    return Stream.concat(Stream.of(failure), failures.values().stream())
        .flatMap(policy -> policy.deadLetterDestination().stream());
  }

  /**
   * All destinations, those of dead letters included.
   *
   * @return destinations; targets and routing keys that depend on the event are given as templates
   */
  public List<Destination> all() {
    Stream<Destination> live = routed().map(route -> destination(route, true));
    return Stream.concat(live, deadLetters())
        .filter(destination -> !destination.name().isEmpty())
        .distinct()
        .toList();
  }

  /**
   * Topics and exchanges of dead letters that events go to as well.
   *
   * @return names; consumers of the events take these dead letters for new events
   */
  public Set<String> returningDeadLetters() {
    Set<String> live = routed().map(route -> route.target().toString()).collect(Collectors.toSet());
    return deadLetters()
        .map(Destination::target)
        .filter(target -> !target.isEmpty() && live.contains(target))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Collects routes and policies; not thread-safe. */
  public static final class Builder {
    private final Transport transport;
    private final Map<String, Formatted> byType = new LinkedHashMap<>();
    private final Map<String, FailurePolicy> failures = new TreeMap<>();
    private @Nullable Formatted byDefault;
    private @Nullable String source;
    private RetryPolicy retry = RetryPolicy.ofDefaults();
    private FailurePolicy failure = new FailurePolicy.Park();
    private @Nullable Function<String, FailurePolicy> anyFailure;
    private EventLimits limits = EventLimits.ofDefaults();

    private Builder(Transport transport) {
      this.transport = transport;
    }

    /**
     * Sets the route of all event types without a specific one.
     *
     * @param route the route
     * @param format form of its messages
     * @return this builder
     * @throws IllegalArgumentException if the route is for the other kind of broker
     */
    public Builder byDefault(Route route, Format format) {
      byDefault = new Formatted(fitting(route), format);
      return this;
    }

    /**
     * Sets the route of one event type.
     *
     * @param eventType exact event type
     * @param route the route
     * @param format form of its messages
     * @return this builder
     * @throws IllegalArgumentException if the route is for the other kind of broker
     */
    public Builder forType(String eventType, Route route, Format format) {
      byType.put(eventType, new Formatted(fitting(route), format));
      return this;
    }

    private Route fitting(Route route) {
      boolean kafka = transport == Transport.KAFKA;
      if (kafka && !route.routingKey().toString().isEmpty()) {
        throw new IllegalArgumentException(
            "A routing key is for RabbitMQ, but is '" + route.routingKey() + "' on Kafka");
      }
      if (!kafka && route.partition() != null) {
        throw new IllegalArgumentException(
            "A partition is for Kafka, but is '" + route.partition() + "' on RabbitMQ");
      }
      return route;
    }

    /**
     * Names the source of events in formats that have one.
     *
     * @param name name of the service, or null
     * @return this builder
     */
    public Builder source(@Nullable String name) {
      source = name;
      return this;
    }

    /**
     * Sets when a rejected event is tried again, and how often. Default: {@link
     * RetryPolicy#ofDefaults()}.
     *
     * @param policy backoff and attempt limit
     * @return this builder
     */
    public Builder retry(RetryPolicy policy) {
      retry = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the treatment of an event whose attempts are used up. Default: it is parked.
     *
     * @param policy the policy
     * @return this builder
     */
    public Builder failure(FailurePolicy policy) {
      failure = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the treatment of failed events of one destination.
     *
     * @param destination its name: the topic, or {@code exchange/routing-key}
     * @param policy the policy
     * @return this builder
     */
    public Builder failure(String destination, FailurePolicy policy) {
      failures.put(destination, policy);
      return this;
    }

    /**
     * Sets the treatment of failed events of destinations that are not known beforehand. Start-up
     * checks do not look at its dead letters.
     *
     * @param byDestination from a destination's name to its policy; the empty name stands for
     *     events without a route
     * @return this builder
     */
    public Builder failures(Function<String, FailurePolicy> byDestination) {
      anyFailure = Objects.requireNonNull(byDestination, "byDestination");
      return this;
    }

    /**
     * Sets the limits of headers that the relay accepts. Default: {@link EventLimits#ofDefaults()}.
     *
     * @param accepted the limits, at least as wide as those of the writers
     * @return this builder
     */
    public Builder limits(EventLimits accepted) {
      limits = Objects.requireNonNull(accepted, "accepted");
      return this;
    }

    /**
     * Builds the routes. Templates are checked against the kind of broker by {@link
     * RelayRoutes#rules()}.
     *
     * @return immutable routes
     */
    public RelayRoutes build() {
      return new RelayRoutes(this);
    }
  }
}
