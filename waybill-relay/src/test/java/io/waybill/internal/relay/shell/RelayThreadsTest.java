package io.waybill.internal.relay.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.observe.RelayListener;
import io.waybill.policy.EngineSettings;
import io.waybill.store.OutboxRow;
import io.waybill.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No thread of a relay ends alone: the relay goes on, or it ends as a whole. */
class RelayThreadsTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private final MemoryOutbox outbox = new MemoryOutbox();
  private final Prompt publisher = new Prompt();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private @Nullable Relay relay;

  @AfterEach
  void close() {
    if (relay != null) {
      relay.close();
    }
  }

  /** Confirms at once. */
  private static final class Prompt implements Publisher {
    final List<String> sent = new CopyOnWriteArrayList<>();
    volatile @Nullable RuntimeException thrown;
    volatile boolean closed;
    private @Nullable PublisherListener told;

    @Override
    public void start(PublisherListener listener) {
      told = listener;
      listener.available();
    }

    @Override
    public void send(Outgoing message) {
      RuntimeException e = thrown;
      if (e != null) {
        throw e;
      }
      sent.add(message.eventId());
      listener().onConfirmation(new Confirmation.Confirmed(message.sendId()));
    }

    PublisherListener listener() {
      return Objects.requireNonNull(told, "started");
    }

    @Override
    public int maxInFlightPerKey() {
      return 1;
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static OutboxRow row(long id, String key) {
    return row(id, 3, key);
  }

  static OutboxRow row(long id, int lane, String key) {
    return new OutboxRow(
        id,
        lane,
        "e-" + id,
        "order.placed",
        1,
        new EventKey("Order", key),
        "{}".getBytes(StandardCharsets.US_ASCII),
        "application/json",
        null,
        null,
        null,
        null,
        1,
        2,
        false);
  }

  static Mapped map(OutboxRow row, long sendId) {
    return new Mapped.Message(
        new Outgoing(
            sendId,
            Destination.topic("orders"),
            null,
            row.payload(),
            row.contentType(),
            row.eventId(),
            row.eventType(),
            0,
            List.of()));
  }

  private void start(MessageMapper mapper) {
    relay =
        new Relay(
            "relay",
            EngineSettings.defaults(Duration.ofSeconds(1), 1),
            outbox.open(),
            publisher,
            RelayRules.ofDefaults(mapper),
            RelayListener.NONE,
            failures::add);
  }

  private void awaitEnd() {
    await().atMost(SOON).until(() -> failures.size() == 1);
    assertThat(outbox.closed).hasValue(3);
    assertThat(publisher.closed).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "settle", "view", "renew"})
  void anErrorOfALineEndsTheRelayAsAWhole(String call) {
    outbox.rows.add(row(1, "a"));
    outbox.deadly.put(call, new OutOfMemoryError("planted"));
    start(RelayThreadsTest::map);

    awaitEnd();
  }

  @Test
  void anUnexpectedExceptionOfAReadEndsTheRelayAsAWhole() {
    outbox.rows.add(row(1, "a"));
    outbox.deadly.put("read", new IllegalStateException("planted"));
    start(RelayThreadsTest::map);

    awaitEnd();
  }

  @Test
  void anExceptionOfThePublisherEndsTheRelayAsAWhole() {
    outbox.rows.add(row(1, "a"));
    publisher.thrown = new IllegalStateException("planted");
    start(RelayThreadsTest::map);

    awaitEnd();
  }

  @Test
  void aPublisherThatCanDoNoMoreEndsTheRelayAsAWhole() {
    start(RelayThreadsTest::map);
    publisher.listener().failed(new OutOfMemoryError("planted"));

    awaitEnd();
  }

  @Test
  void theNextRelayPublishesWhatTheFailedOneHadInHand() {
    outbox.rows.addAll(List.of(row(1, "a"), row(2, "b")));
    publisher.thrown = new IllegalStateException("planted");
    start(RelayThreadsTest::map);
    awaitEnd();

    publisher.thrown = null;
    start(RelayThreadsTest::map);
    await().atMost(SOON).until(() -> outbox.settled.size() == 2);
    assertThat(publisher.sent).containsExactlyInAnyOrder("e-1", "e-2");
    assertThat(outbox.opened.get()).isGreaterThan(1);
  }

  @Test
  void aMapperThatThrowsForOneRowStopsNobodyElse() {
    outbox.rows.addAll(List.of(row(1, "a"), row(2, "b"), row(3, "c")));
    start(
        (row, sendId) -> {
          if (row.eventId().equals("e-2")) {
            throw new IllegalStateException("planted");
          }
          return map(row, sendId);
        });

    await().atMost(SOON).until(() -> publisher.sent.size() == 2 && outbox.parked.size() == 1);
    assertThat(publisher.sent).containsExactly("e-1", "e-3");
    assertThat(outbox.parked).isEqualTo(Set.of(2L));
  }

  @Test
  void aRelayHasReadAndMappedRowsBeforeItJoins() {
    outbox.rows.add(row(1, "a"));
    start(
        (row, sendId) -> {
          outbox.called.add("map");
          return map(row, sendId);
        });

    await().atMost(SOON).until(() -> outbox.settled.size() == 1);
    List<String> called = List.copyOf(outbox.called);
    assertThat(called.subList(0, called.indexOf("join"))).contains("warmUp", "map", "warmUp store");
    assertThat(publisher.sent).containsExactly("e-1");
  }

  private long looks() {
    return outbox.called.stream().filter("warmUp lanes"::equals).count();
  }

  /** Without that it would look about 40 times. */
  @Test
  void aRelayThatIsToStopDoesNotPauseBeforeItJoins() {
    outbox.others = () -> true;
    start(RelayThreadsTest::map);
    await().pollInterval(Duration.ofMillis(5)).atMost(SOON).until(() -> looks() > 0);

    assertThat(Objects.requireNonNull(relay).stop(SOON)).isTrue();
    assertThat(looks()).isLessThan(25);
  }

  /** Who is interrupted cannot park: it would look for two seconds as often as it can. */
  @Test
  void aRelayThatIsClosedDoesNotPauseBeforeItJoins() {
    outbox.others = () -> true;
    start(RelayThreadsTest::map);
    await().pollInterval(Duration.ofMillis(5)).atMost(SOON).until(() -> looks() > 0);

    Objects.requireNonNull(relay).close();
    assertThat(looks()).isLessThan(25);
    assertThat(outbox.called).doesNotContain("join");
  }

  static List<Throwable> failuresOfAWarmUp() {
    return List.of(
        new StoreException("planted", null, true),
        new IllegalStateException("planted"),
        new NoClassDefFoundError("planted"));
  }

  @ParameterizedTest
  @MethodSource("failuresOfAWarmUp")
  void aWarmUpThatFailsStopsNobody(Throwable failure) {
    outbox.rows.add(row(1, "a"));
    outbox.deadly.put("warmUp", failure);
    start(RelayThreadsTest::map);

    await().atMost(SOON).until(() -> outbox.settled.size() == 1);
    assertThat(failures).isEmpty();
  }
}
