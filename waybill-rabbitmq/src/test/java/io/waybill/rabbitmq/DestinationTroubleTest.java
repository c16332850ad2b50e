package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trouble of one destination, or of one message, beside others that are well. */
@Tag("long")
class DestinationTroubleTest {
  private static final String LEADER =
      "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"mute\">>)),"
          + " {Name, _} = amqqueue:get_pid(Q), sys:%s(Name).";

  private static RabbitServer server;
  private final PublisherRecorder recorder = new PublisherRecorder();
  private @Nullable RabbitPublisher publisher;
  private long nextId = 1;

  @BeforeAll
  static void start() {
    server = RabbitServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void close() {
    Objects.requireNonNull(publisher).close();
    assertThat(recorder.repeated()).isEmpty();
  }

  @Test
  void aQueueThatDoesNotConfirmCostsNobodyTheConnection() {
    Destination mute = Broker.create(server, "mute", Broker.QUORUM);
    Destination well = Broker.create(server, "well", Broker.QUORUM);
    open(Broker.config(server).connections(1).confirmTimeout(Duration.ofSeconds(2)));
    for (int i = 0; i < 2; i++) {
      // The first goes alone; a channel of the broker stands still while it meets a mute queue.
      awaitConfirmed(send(mute, 10, List.of()));
      awaitConfirmed(send(well, 10, List.of()));
    }
    server.ctl("eval", LEADER.formatted("suspend"));
    List<Long> healthy = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        long id = send(mute, 10, List.of());
        Awaitility.await()
            .atMost(Patience.of(Duration.ofSeconds(10)))
            .pollInterval(Duration.ofMillis(10))
            .until(
                () -> {
                  healthy.add(send(well, 10, List.of()));
                  return recorder.outcome(id) != null;
                });
        assertThat(recorder.outcome(id)).isInstanceOf(Confirmation.Unknown.class);
      }
    } finally {
      server.ctl("eval", LEADER.formatted("resume"));
    }
    healthy.forEach(this::awaitConfirmed);
    assertThat(recorder.transport()).containsExactly("available");
    awaitConfirmed(send(mute, 10, List.of()));
    awaitConfirmed(send(mute, 10, List.of()));
  }

  @Test
  void whatIsRefusedForGoodDisturbsNoOtherThatWasSilentBefore() {
    Broker.create(server, "mute", Broker.QUORUM);
    Destination gone = besideMute("gone");
    Destination stays = besideMute("stays");
    open(Broker.config(server).connections(1).confirmTimeout(Duration.ofSeconds(2)));
    awaitConfirmed(send(gone, 10, List.of()));
    awaitConfirmed(send(stays, 10, List.of()));
    server.ctl("eval", LEADER.formatted("suspend"));
    try {
      List.of(send(gone, 10, List.of()), send(stays, 10, List.of()))
          .forEach(id -> assertThat(awaitOutcome(id)).isInstanceOf(Confirmation.Unknown.class));
    } finally {
      server.ctl("eval", LEADER.formatted("resume"));
    }
    Broker.call(server, channel -> channel.exchangeDelete("gone"));

    // As breakers do, each round with other events.
    Confirmation refused = sendBoth(gone, stays);
    for (int round = 0; round < 3; round++) {
      refused = sendBoth(gone, stays);
    }

    assertThat(refused).isInstanceOf(Confirmation.Refused.class);
    awaitConfirmed(nextId - 1);
  }

  private static Destination besideMute(String exchange) {
    Broker.call(server, channel -> channel.exchangeDeclare(exchange, "direct", true));
    Broker.call(server, channel -> channel.queueBind("mute", exchange, "key"));
    return Destination.exchange(exchange, "key");
  }

  /** Returns the outcome of the first, when both have one. */
  private Confirmation sendBoth(Destination one, Destination other) {
    long first = send(one, 10, List.of());
    awaitOutcome(send(other, 10, List.of()));
    return awaitOutcome(first);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void aQueueTakesMessagesAgainWhenItsLimitIsTakenAway(int maxInFlightPerKey) {
    String name = "limited-" + maxInFlightPerKey;
    Destination limited = Broker.create(server, name, Broker.QUORUM);
    Destination well = Broker.create(server, "beside", Broker.QUORUM);
    String limit = "{\"max-length\":5,\"overflow\":\"reject-publish\"}";
    server.ctl("set_policy", "--apply-to", "queues", name, "^" + name + "$", limit);
    open(Broker.config(server).connections(1).maxInFlightPerKey(maxInFlightPerKey));
    List<Long> healthy = new ArrayList<>();
    untilOutcome(limited, Confirmation.Refused.class, well, healthy);
    server.ctl("clear_policy", name);
    untilOutcome(limited, Confirmation.Confirmed.class, well, healthy);
    for (int i = 0; i < 50; i++) {
      awaitConfirmed(send(limited, 10, List.of()));
    }
    healthy.forEach(this::awaitConfirmed);
    assertThat(recorder.transport()).containsExactly("available");
  }

  /** Sends one message after the other, as a breaker does that lets one out. */
  private void untilOutcome(
      Destination to, Class<? extends Confirmation> wanted, Destination beside, List<Long> sent) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(
            () -> {
              sent.add(send(beside, 10, List.of()));
              return wanted.isInstance(awaitOutcome(send(to, 10, List.of())));
            });
  }

  @Test
  void headersThatDoNotFitTheNegotiatedFrameAreRefusedAndCostNothing() {
    Destination to = Broker.create(server, "frames", Broker.QUORUM);
    server.ctl("eval", "application:set_env(rabbit, frame_max, 8192).");
    try {
      open(Broker.config(server).connections(1));
      awaitConfirmed(send(to, 10, List.of()));
      long id = send(to, 10, List.of(new Header("large", "x".repeat(10_000))));
      awaitConfirmed(send(to, 10, List.of()));
      assertThat(recorder.outcome(id))
          .isInstanceOfSatisfying(
              Confirmation.Rejected.class,
              rejected -> assertThat(rejected.reason()).isEqualTo("headers-too-large"));
      assertThat(recorder.transport()).containsExactly("available");
    } finally {
      server.ctl("eval", "application:set_env(rabbit, frame_max, 131072).");
    }
  }

  @Test
  void whatWaitsForTheConnectionIsHeldAgainstItsFrame() {
    Destination to = Broker.create(server, "frames-before", Broker.QUORUM);
    server.ctl("eval", "application:set_env(rabbit, frame_max, 8192).");
    try {
      open(Broker.config(server).connections(1));
      long id = send(to, 10, List.of(new Header("large", "x".repeat(10_000))));
      awaitConfirmed(send(to, 10, List.of()));
      assertThat(recorder.outcome(id)).isInstanceOf(Confirmation.Rejected.class);
      assertThat(recorder.transport()).containsExactly("available");
    } finally {
      server.ctl("eval", "application:set_env(rabbit, frame_max, 131072).");
    }
  }

  private void open(RabbitPublisherConfigBuilder config) {
    publisher = new RabbitPublisher(config.build());
    publisher.start(recorder);
  }

  private long send(Destination to, int size, List<Header> headers) {
    long id = nextId++;
    byte[] key = ("k" + id).getBytes(StandardCharsets.UTF_8);
    RabbitPublisher opened = Objects.requireNonNull(publisher);
    opened.send(
        new Outgoing(
            id, to, key, new byte[size], "text/plain", "event-" + id, "Tested", 1000, headers));
    opened.flush();
    return id;
  }

  private void awaitConfirmed(long id) {
    assertThat(awaitOutcome(id)).isEqualTo(new Confirmation.Confirmed(id));
  }

  private Confirmation awaitOutcome(long id) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> recorder.outcome(id) != null);
    return Objects.requireNonNull(recorder.outcome(id));
  }
}
