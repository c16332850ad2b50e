package io.waybill.spring.internal.keys;

import io.waybill.broker.Publisher;
import io.waybill.internal.encode.Encoder;
import io.waybill.internal.relay.rules.RelayRoutes;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.message.Transport;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.route.Route;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.DeadLetter;
import io.waybill.spring.properties.WaybillProperties.FailureMode;
import io.waybill.spring.properties.WaybillProperties.Limits;
import io.waybill.spring.properties.WaybillProperties.Poll;
import io.waybill.spring.properties.WaybillProperties.PollMode;
import io.waybill.spring.properties.WaybillProperties.RetryMode;
import io.waybill.spring.properties.WaybillProperties.RouteTo;
import io.waybill.store.Polling;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the engine takes, from properties that have been checked. */
public final class RelaySettings {
  private final ConfiguredOutbox outbox;
  private final OutboxProperties properties;
  private final Transport transport;
  private final Duration delivery;

  private RelaySettings(ConfiguredOutbox outbox, Transport transport, Duration delivery) {
    this.outbox = outbox;
    this.properties = outbox.properties();
    this.transport = transport;
    this.delivery = delivery;
  }

  /**
   * Checks everything; what is wrong is added to the problems.
   *
   * @param polling the layout's own
   */
  public static RelaySettings check(
      ConfiguredOutbox outbox,
      Transport transport,
      Duration delivery,
      Polling polling,
      Problems all) {
    Problems problems = all.with(outbox::key);
    RelaySettings settings = new RelaySettings(outbox, transport, delivery);
    settings.checkRoutes(problems);
    new RelayChecks(settings.properties, problems).run(delivery);
    problems.attempt("retry", settings::retry);
    problems.attempt("poll", () -> settings.polling(polling));
    return settings;
  }

  private void checkRoutes(Problems problems) {
    Map<String, RouteTo> all = routesByKey();
    if (all.isEmpty()) {
      problems.add(
          "routes.default.target",
          "must be given, or a route for each type under "
              + outbox.key("routes.types")
              + ": "
              + (transport == Transport.KAFKA
                  ? "the Kafka topic"
                  : "the RabbitMQ exchange, with " + outbox.key("routes.default.routing-key"))
              + " that events go to, for example {aggregateType|lower}-events");
      return;
    }
    all.forEach((key, route) -> checkRoute(problems, key, route));
    problems.attempt("routes.source", this::checkSource);
  }

  /** Some formats need a source. */
  private void checkSource() {
    Encoder.Builder encoder = Encoder.builder(transport).source(properties.routes().source());
    routesByKey().forEach((key, route) -> encoder.forType(key, route.format()));
    encoder.build();
  }

  private void checkRoute(Problems problems, String key, RouteTo route) {
    if (route.target().isEmpty()
        && (transport == Transport.KAFKA || route.routingKey().isEmpty())) {
      problems.add(
          key + ".target",
          transport == Transport.KAFKA
              ? "must be given"
              : "must be given, or routing-key for the default exchange");
    }
    if (transport == Transport.KAFKA && !route.routingKey().isEmpty()) {
      problems.add(key + ".routing-key", "is for RabbitMQ", route.routingKey());
    }
    String partition = route.partition();
    if (transport == Transport.RABBITMQ && partition != null) {
      problems.add(key + ".partition", "is for Kafka", partition);
    }
    if (transport == Transport.RABBITMQ && route.timestamp() != RecordTime.SENT) {
      problems.add(key + ".timestamp", "is for Kafka", "created");
    }
    problems.attempt(key, () -> route(route));
  }

  private @Nullable RouteTo fallback() {
    RouteTo given = properties.routes().fallback();
    return given == null ? PresetKeys.route(properties.layout(), transport) : given;
  }

  private Map<String, RouteTo> routesByKey() {
    Map<String, RouteTo> all = new LinkedHashMap<>();
    RouteTo fallback = fallback();
    if (fallback != null) {
      all.put("routes.default", fallback);
    }
    properties
        .routes()
        .types()
        .forEach((type, route) -> all.put("routes.types[" + type + "]", route));
    return all;
  }

  /** Where events go and in which form, and what becomes of those that fail. */
  public RelayRoutes relayRoutes() {
    RelayRoutes.Builder routes =
        RelayRoutes.builder(transport).source(properties.routes().source()).retry(retry());
    RouteTo fallback = fallback();
    if (fallback != null) {
      routes.byDefault(route(fallback), fallback.format());
    }
    properties.routes().types().forEach((type, to) -> routes.forType(type, route(to), to.format()));
    WaybillProperties.Failure failure = properties.failure();
    routes.failure(policy(failure.policy(), failure.deadLetter(), failure.giveUpAfter()));
    failure
        .destinations()
        .forEach(
            (name, each) ->
                routes.failure(name, policy(each.policy(), each.deadLetter(), each.giveUpAfter())));
    return routes.build();
  }

  private static Route route(RouteTo to) {
    Route.Builder route =
        Route.to(to.target()).routingKey(to.routingKey()).timestamp(to.timestamp());
    if (to.partition() != null) {
      route.partition(to.partition());
    }
    to.headers().forEach(route::header);
    return route.build();
  }

  private FailurePolicy policy(
      @Nullable FailureMode given, @Nullable DeadLetter letter, @Nullable Duration giveUpAfter) {
    FailureMode mode = given == null ? PresetKeys.failure(properties.layout()) : given;
    return switch (mode) {
      case PARK -> new FailurePolicy.Park(giveUpAfter);
      case BURY -> new FailurePolicy.Bury(letter == null ? null : destination(letter), giveUpAfter);
    };
  }

  private static Destination destination(@Nullable DeadLetter letter) {
    Objects.requireNonNull(letter);
    return new Destination(letter.target(), letter.routingKey(), null);
  }

  private RetryPolicy retry() {
    WaybillProperties.Retry retry = properties.retry();
    RetryPolicy.Builder policy = RetryPolicy.builder().attemptLimit(retry.attempts());
    return retry.policy() == RetryMode.CONSTANT
        ? policy.constant(retry.delay()).build()
        : policy.exponential(retry.firstDelay(), retry.factor(), retry.longestDelay()).build();
  }

  Polling polling(Polling usual) {
    Poll poll = properties.poll();
    Integer batch = poll.batch();
    Duration delay = poll.initialDelay();
    return new Polling(
        rhythm(poll, usual.rhythm()),
        delay == null ? usual.initialDelay() : delay,
        batch == null ? Math.min(usual.batch(), properties.limits().maxRows()) : batch);
  }

  private static Polling.Rhythm rhythm(Poll poll, Polling.Rhythm usual) {
    Duration interval = poll.interval();
    if (interval != null) {
      return poll.mode() == PollMode.FIXED_RATE
          ? new Polling.Rhythm.FixedRate(interval)
          : new Polling.Rhythm.FixedDelay(interval);
    }
    if (poll.mode() == null && poll.min() == null && poll.max() == null) {
      return usual;
    }
    return new Polling.Rhythm.Adaptive(
        poll.min() == null ? Duration.ofMillis(5) : poll.min(),
        poll.max() == null ? Duration.ofMillis(50) : poll.max());
  }

  /** Life of the session: where none is given the engine's, or what its renewals need. */
  Duration lease() {
    Limits limits = properties.limits();
    Duration given = limits.lease();
    if (given != null) {
      return given;
    }
    return EngineSettings.usualLease(
        delivery.plus(Publisher.CLIENT_MARGIN), limits.renewInterval());
  }

  /** Bounds and intervals. */
  public EngineSettings engine(EngineSettings defaults) {
    Limits limits = properties.limits();
    Integer inFlight = limits.maxInFlight();
    return new EngineSettings(
        limits.maxRows(),
        limits.maxBytes().toBytes(),
        limits.settleBatch(),
        limits.settleDelay(),
        polling(defaults.polling()),
        lease(),
        limits.renewInterval(),
        limits.viewInterval(),
        defaults.deliveryTimeout(),
        inFlight == null ? limits.maxRows() : inFlight,
        defaults.maxInFlightPerKey());
  }
}
