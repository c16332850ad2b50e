package io.waybill.spring.internal.keys;

import io.waybill.broker.Publisher;
import io.waybill.policy.EngineSettings;
import io.waybill.spring.properties.LoginProperties;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.DeadLetter;
import io.waybill.spring.properties.WaybillProperties.FailureMode;
import io.waybill.spring.properties.WaybillProperties.Limits;
import io.waybill.spring.properties.WaybillProperties.Poll;
import io.waybill.spring.properties.WaybillProperties.PollMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The rules of numbers and times. */
public final class RelayChecks {
  private static final String NAME = "[A-Za-z0-9._-]{1,100}";
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final OutboxProperties properties;
  private final Problems problems;

  RelayChecks(OutboxProperties properties, Problems problems) {
    this.properties = properties;
    this.problems = problems;
  }

  void run(Duration delivery) {
    problems.between(
        "database.query-timeout",
        properties.database().queryTimeout(),
        SECOND,
        Duration.ofMinutes(2));
    if (properties.retention() != null) {
      problems.between(
          "retention", properties.retention(), Duration.ofMinutes(1), Duration.ofDays(3650));
    }
    limits(delivery);
    failure("failure", properties.failure().policy(), properties.failure().deadLetter());
    properties
        .failure()
        .destinations()
        .forEach(
            (name, each) ->
                failure("failure.destinations[" + name + "]", each.policy(), each.deadLetter()));
    poll();
  }

  /** What holds for the process, whatever its outboxes say. */
  public static void ofProcess(WaybillProperties properties, Problems problems) {
    Duration grace = properties.relay().gracePeriod();
    problems.between("relay.grace-period", grace, Duration.ZERO, Duration.ofMinutes(10));
    Duration history = properties.relay().history();
    problems.between("relay.history", history, Duration.ZERO, Duration.ofDays(3650));
    LoginProperties login = properties.api().login();
    Duration longest = Duration.ofDays(30);
    problems.between("api.login.idle", login.idle(), Duration.ofMinutes(1), longest);
    problems.between("api.login.lifetime", login.lifetime(), Duration.ofMinutes(1), longest);
    String traces = properties.console().traceUrl();
    if (traces != null && !isTraceUrl(traces)) {
      problems.add(
          "console.trace-url", "must be like https://traces.example/trace/{trace-id}", traces);
    }
    String name = properties.relay().name();
    if (name != null && !name.matches(NAME)) {
      problems.add("relay.name", "must match " + NAME, name);
    }
    Duration binders = properties.springCloudStream().deliveryTimeout();
    problems.between(
        "spring-cloud-stream.delivery-timeout", binders, SECOND, Duration.ofMinutes(10));
  }

  /** An address that a browser may be led to, with the place of the trace's id. */
  private static boolean isTraceUrl(String text) {
    try {
      URI address = new URI(text.replace("{trace-id}", "0"));
      return text.contains("{trace-id}")
          && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
          && address.getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private void limits(Duration delivery) {
    Limits limits = properties.limits();
    problems.between("limits.max-rows", limits.maxRows(), 1, 1_000_000);
    problems.between("limits.max-bytes", limits.maxBytes().toBytes(), 1L << 20, 16L << 30);
    problems.between(
        "limits.max-event-bytes", limits.maxEventBytes().toBytes(), 64L << 10, 256L << 20);
    problems.between("limits.settle-batch", limits.settleBatch(), 1, 5_000);
    problems.between("limits.settle-delay", limits.settleDelay(), ms(1), Duration.ofMinutes(1));
    problems.between("limits.renew-interval", limits.renewInterval(), ms(100), ms(1_800_000));
    problems.between("limits.view-interval", limits.viewInterval(), ms(100), ms(1_800_000));
    Duration lease = limits.lease();
    Duration least =
        EngineSettings.leastLease(delivery.plus(Publisher.CLIENT_MARGIN), limits.renewInterval());
    if (lease != null && lease.compareTo(least) < 0) {
      problems.add(
          "limits.lease",
          "must be at least " + Problems.text(least) + " (delivery + renew-interval + 2500ms)",
          Problems.text(lease));
    }
    Integer inFlight = limits.maxInFlight();
    if (inFlight != null) {
      problems.between("limits.max-in-flight", inFlight, 1, limits.maxRows());
    }
  }

  private void failure(String key, @Nullable FailureMode given, @Nullable DeadLetter letter) {
    FailureMode mode = given == null ? PresetKeys.failure(properties.layout()) : given;
    if (letter == null) {
      return;
    }
    if (mode == FailureMode.PARK) {
      problems.add(key + ".dead-letter", "needs " + problems.name(key + ".policy") + "=bury");
    }
    if (letter.target().isEmpty() && letter.routingKey().isEmpty()) {
      problems.add(key + ".dead-letter.target", "must be given");
    }
  }

  private void poll() {
    Poll poll = properties.poll();
    if (poll.interval() != null && (poll.min() != null || poll.max() != null)) {
      problems.add("poll.interval", "must not be combined with min and max", poll.interval());
    }
    if (poll.mode() != null && (poll.mode() == PollMode.ADAPTIVE) == (poll.interval() != null)) {
      problems.add(
          "poll.mode",
          poll.interval() == null
              ? "needs " + problems.name("poll.interval") + " with fixed-delay and fixed-rate"
              : "must be fixed-delay or fixed-rate with " + problems.name("poll.interval"),
          poll.mode());
    }
    Integer batch = poll.batch();
    if (batch != null) {
      problems.between("poll.batch", batch, 1, properties.limits().maxRows());
    }
  }

  private static Duration ms(long number) {
    return Duration.ofMillis(number);
  }
}
