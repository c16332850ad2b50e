package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each limit on a real broker: what is just allowed arrives, one more is rejected. */
class MessageLimitsTest {
  private static final int MAX_BODY = 300_000;
  private static final String EXCHANGE = "amq.fanout";
  private static final String LONG = "l".repeat(255);
  // One frame less the margin, less name and overhead of the header.
  private static final int HEADER_VALUE = 131_072 - (4 * 255 + 128) - 6 - 1;

  private static final PublisherRecorder recorder = new PublisherRecorder();
  private static RabbitServer server;
  private static RabbitPublisher publisher;
  private static long nextId = 1;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
    Broker.call(server, channel -> channel.queueDeclare("all", true, false, false, Broker.QUORUM));
    Broker.call(server, channel -> channel.queueBind("all", EXCHANGE, ""));
    publisher = new RabbitPublisher(Broker.config(server).maxMessageBytes(MAX_BODY).build());
    publisher.start(recorder);
  }

  @AfterAll
  static void stop() {
    publisher.close();
    server.close();
  }

  static Stream<Arguments> messages() {
    return Stream.of(
        Arguments.of("confirmed", with(LONG, LONG, LONG, LONG, "", MAX_BODY)),
        Arguments.of("confirmed", with("ß".repeat(127), "e", "t", "c", "", 0)),
        Arguments.of("confirmed", with(LONG, LONG, LONG, LONG, "x".repeat(HEADER_VALUE), 1)),
        Arguments.of("message-too-large", with("k", "e", "t", "c", "", MAX_BODY + 1)),
        Arguments.of("routing-key-too-long", with(LONG + "x", "e", "t", "c", "", 1)),
        Arguments.of("routing-key-too-long", with("ß".repeat(128), "e", "t", "c", "", 1)),
        Arguments.of("property-too-long", with("k", LONG + "x", "t", "c", "", 1)),
        Arguments.of("property-too-long", with("k", "e", LONG + "x", "c", "", 1)),
        Arguments.of("property-too-long", with("k", "e", "t", LONG + "x", "", 1)),
        Arguments.of(
            "headers-too-large", with("k", "e", "t", "c", "x".repeat(HEADER_VALUE + 1), 1)),
        Arguments.of("headers-too-large", with("k", "e", "t", "c", "ß".repeat(HEADER_VALUE), 1)));
  }

  @ParameterizedTest(name = "{0} {index}")
  @MethodSource("messages")
  void carriesOrRejects(String expected, Outgoing message) {
    publisher.send(message);
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(12)))
        .until(() -> recorder.outcome(message.sendId()) != null);
    Confirmation outcome = Objects.requireNonNull(recorder.outcome(message.sendId()));
    String reason =
        outcome instanceof Confirmation.Rejected rejected ? rejected.reason() : "confirmed";
    assertThat(outcome).isNotInstanceOf(Confirmation.Unknown.class);
    assertThat(reason).isEqualTo(expected);
  }

  private static Outgoing with(
      String routingKey, String eventId, String type, String contentType, String header, int size) {
    List<Header> headers = new ArrayList<>();
    if (!header.isEmpty()) {
      headers.add(new Header("h", header));
    }
    Destination to = Destination.exchange(EXCHANGE, routingKey);
    byte[] body = new byte[size];
    return new Outgoing(nextId++, to, null, body, contentType, eventId, type, 1, headers);
  }
}
