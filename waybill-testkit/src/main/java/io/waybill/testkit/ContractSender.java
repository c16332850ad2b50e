package io.waybill.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Sends as a relay does: never more of a key than the publisher allows. Measures each call. */
final class ContractSender {
  // For a machine that runs other suites at the same time; an outcome that is lost never comes.
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Publisher publisher;
  private final PublisherRecorder recorder;
  private final Map<Long, Long> sentAt = new HashMap<>();
  private final Map<String, Long> lastOfKey = new HashMap<>();
  private final List<Long> callMillis = new ArrayList<>();
  private long nextId = 1;

  ContractSender(Publisher publisher, PublisherRecorder recorder) {
    this.publisher = publisher;
    this.recorder = recorder;
  }

  /** A message of a key whose body is {@code key/number}. */
  Outgoing numbered(Destination destination, String key, int number) {
    return message(destination, key, (key + "/" + number).getBytes(UTF_8));
  }

  Outgoing message(Destination destination, @Nullable String key, byte @Nullable [] body) {
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    long id = nextId++;
    return new Outgoing(
        id, destination, keyBytes, body, "text/plain", "event-" + id, "Tested", id, List.of());
  }

  long reserve(int count) {
    long first = nextId;
    nextId += count;
    return first;
  }

  long send(Outgoing message) {
    awaitTurn(message);
    long start = System.nanoTime();
    sentAt.put(message.sendId(), start);
    publisher.send(message);
    callMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    return message.sendId();
  }

  private void awaitTurn(Outgoing message) {
    byte[] keyBytes = message.key();
    if (publisher.maxInFlightPerKey() > 1 || keyBytes == null) {
      return;
    }
    String key = message.destination().name() + "|" + new String(keyBytes, UTF_8);
    Long last = lastOfKey.put(key, message.sendId());
    if (last != null && recorder.outcome(last) == null) {
      publisher.flush();
      awaitOutcomes(List.of(last));
    }
  }

  void awaitOutcomes(List<Long> sends) {
    Awaitility.await("outcomes")
        .atMost(limit().plusSeconds(10))
        .pollInterval(Duration.ofMillis(1))
        .pollDelay(Duration.ZERO)
        .until(() -> sends.stream().allMatch(id -> recorder.outcome(id) != null));
  }

  /** Sends again until it is confirmed, as a relay does after an unknown outcome. */
  void sendUntilConfirmed(Destination destination, String key, int number) {
    Awaitility.await("confirmed " + key + "/" + number)
        .atMost(Patience.of(Duration.ofMinutes(1)))
        .pollInterval(Duration.ofMillis(50))
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              long id = send(numbered(destination, key, number));
              publisher.flush();
              awaitOutcomes(List.of(id));
              return recorder.confirmed(id);
            });
  }

  /**
   * No call of send waited for the broker: that would have taken the delivery timeout. A busy
   * machine can make a call slow, but not most of them.
   */
  void assertNeverBlocked() {
    List<Long> sorted = callMillis.stream().sorted().toList();
    assertThat(sorted.get((int) ((sorted.size() - 1) * 0.9)))
        .as("90 %% of sends, ms")
        .isLessThan(100);
    assertThat(sorted.get(sorted.size() - 1))
        .as("longest send, ms")
        .isLessThan(publisher.deliveryTimeout().toMillis());
  }

  /** Each send has exactly one outcome, in time. */
  void assertOneOutcomeInTime() {
    assertThat(recorder.repeated()).as("sends reported twice").isEmpty();
    sentAt.forEach(
        (id, at) ->
            assertThat(Duration.ofNanos(recorder.reportedAt(id) - at))
                .as("time to the outcome of send %s: %s", id, recorder.outcome(id))
                .isLessThanOrEqualTo(limit()));
  }

  /** The confirmed sends of a key are the first ones. */
  void assertConfirmedPrefix(List<Long> sendsOfKey) {
    boolean failed = false;
    for (long id : sendsOfKey) {
      boolean confirmed = recorder.confirmed(id);
      assertThat(confirmed && failed).as("send %s confirmed after a failed one", id).isFalse();
      failed |= !confirmed;
    }
  }

  long latencyMillis(long id) {
    long at = Objects.requireNonNull(sentAt.get(id), "sent");
    return TimeUnit.NANOSECONDS.toMillis(recorder.reportedAt(id) - at);
  }

  private Duration limit() {
    return publisher.deliveryTimeout().plus(GRACE);
  }
}
