package io.waybill;

import io.waybill.broker.Broker;
import io.waybill.encode.Format;
import io.waybill.internal.relay.rules.RelayRoutes;
import io.waybill.internal.start.StartChecks;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.observe.Finding;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The part of a relay's description that says where events go, in which form, and what becomes of
 * those that fail. Not thread-safe.
 *
 * @param <B> the builder that has it
 */
abstract class RouteBuilder<B extends RouteBuilder<B>> {
  private final Map<String, Route> byType = new LinkedHashMap<>();
  private final Map<String, Format> formats = new LinkedHashMap<>();
  private final Map<String, FailurePolicy> failures = new TreeMap<>();
  private @Nullable Route byDefault;
  private @Nullable Format format;
  private @Nullable String source;
  private RetryPolicy retry = RetryPolicy.ofDefaults();
  private @Nullable FailurePolicy failure;
  private @Nullable Function<String, FailurePolicy> anyFailure;

  abstract B self();

  /**
   * Sets the Kafka topic or RabbitMQ exchange of all event types without a specific route. A
   * RabbitMQ exchange gets an empty routing key; see {@link #route(Route)} for others.
   *
   * @param target template of the name, for example {@code {aggregateType|lower}-events}
   * @return this builder
   * @throws io.waybill.route.InvalidRouteException if the template is wrong
   */
  public B route(String target) {
    return route(Route.to(target).build());
  }

  /**
   * Sets the route of all event types without a specific route.
   *
   * @param route the route
   * @return this builder
   */
  public B route(Route route) {
    this.byDefault = Objects.requireNonNull(route, "route");
    return self();
  }

  /**
   * Sets the route of one event type, in the format of {@link #format(Format)}.
   *
   * @param eventType exact event type
   * @param route the route
   * @return this builder
   */
  public B route(String eventType, Route route) {
    byType.put(Objects.requireNonNull(eventType, "eventType"), route);
    return self();
  }

  /**
   * Sets the form of messages. Default: raw; a preset's own route has the preset's format.
   *
   * @param form the format
   * @return this builder
   */
  public B format(Format form) {
    this.format = Objects.requireNonNull(form, "form");
    return self();
  }

  /**
   * Sets the form of messages of one event type.
   *
   * @param eventType exact event type, which has a route
   * @param form the format
   * @return this builder
   */
  public B format(String eventType, Format form) {
    formats.put(Objects.requireNonNull(eventType, "eventType"), form);
    return self();
  }

  /**
   * Names the source of events in formats that have one.
   *
   * @param name name of the service: a URI reference
   * @return this builder
   */
  public B source(String name) {
    this.source = Objects.requireNonNull(name, "name");
    return self();
  }

  /**
   * Sets when a rejected event is tried again, and how often. Default: {@link
   * RetryPolicy#ofDefaults()}.
   *
   * @param policy backoff and attempt limit
   * @return this builder
   */
  public B retry(RetryPolicy policy) {
    this.retry = Objects.requireNonNull(policy, "policy");
    return self();
  }

  /**
   * Sets what happens to an event whose attempts are used up. Default: the preset's, or it is
   * parked.
   *
   * @param policy the policy
   * @return this builder
   */
  public B failure(FailurePolicy policy) {
    this.failure = Objects.requireNonNull(policy, "policy");
    return self();
  }

  /**
   * Sets what happens to failed events of one destination.
   *
   * @param destination its name: the topic, or {@code exchange/routing-key}
   * @param policy the policy
   * @return this builder
   */
  public B failure(String destination, FailurePolicy policy) {
    failures.put(Objects.requireNonNull(destination, "destination"), policy);
    return self();
  }

  /**
   * Sets what happens to failed events of destinations that are not known beforehand. Start-up
   * checks do not look at its dead letters.
   *
   * @param byDestination from a destination's name to its policy; the empty name stands for events
   *     without a route
   * @return this builder
   */
  public B failures(Function<String, FailurePolicy> byDestination) {
    this.anyFailure = Objects.requireNonNull(byDestination, "byDestination");
    return self();
  }

  /** What leads to the queues of the preset's document, unless another route was described. */
  final Broker declaring(Broker broker, Preset preset) {
    return byDefault == null ? broker.declaring(preset.destinations(broker.transport())) : broker;
  }

  /** What is to be said of the failure policy where the preset's is taken. */
  final List<Finding> order(Preset preset, UnaryOperator<String> names) {
    return failure == null ? StartChecks.order(preset.failure(), names) : List.of();
  }

  /** What was described, and where nothing was, what the preset brings. */
  final RelayRoutes routes(Transport transport, Preset preset, EventLimits written) {
    RelayRoutes.Builder all =
        RelayRoutes.builder(transport)
            .source(source)
            .limits(accepted(written))
            .retry(retry)
            .failure(failure == null ? preset.failure() : failure);
    failures.forEach(all::failure);
    if (anyFailure != null) {
      all.failures(anyFailure);
    }
    Format usualFormat = format == null ? Format.RAW : format;
    Preset.DefaultRoute usual = preset.route(transport);
    if (byDefault != null) {
      all.byDefault(byDefault, usualFormat);
    } else if (usual != null) {
      all.byDefault(usual.route(), format == null ? usual.format() : format);
    } else if (byType.isEmpty()) {
      throw new IllegalStateException("A relay needs a route, and none was given");
    }
    byType.forEach((type, to) -> all.forType(type, to, formats.getOrDefault(type, usualFormat)));
    return all.build();
  }

  /** Rows may be of other writers, which have the default limits. */
  private static EventLimits accepted(EventLimits written) {
    EventLimits usual = EventLimits.ofDefaults();
    return new EventLimits(
        Math.max(written.maxPayloadBytes(), usual.maxPayloadBytes()),
        Math.max(written.maxHeaders(), usual.maxHeaders()),
        Math.max(written.maxHeaderValueBytes(), usual.maxHeaderValueBytes()),
        Math.max(written.maxHeadersBytes(), usual.maxHeadersBytes()),
        written.jsonChecked());
  }
}
