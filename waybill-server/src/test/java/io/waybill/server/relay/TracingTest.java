package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Spans never hold up the stop of a relay. */
class TracingTest {
  private static final Header TRACEPARENT =
      new Header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

  /** A broker that confirms at once, and its listener. */
  private static final class Prompt implements Publisher, PublisherListener {
    private PublisherListener told = this;

    @Override
    public void start(PublisherListener listener) {
      told = listener;
      listener.available();
    }

    @Override
    public void send(Outgoing message) {
      told.onConfirmation(new Confirmation.Confirmed(message.sendId()));
    }

    @Override
    public void onConfirmation(Confirmation confirmation) {}

    @Override
    public void unavailable(String reason) {}

    @Override
    public void available() {}

    @Override
    public void failed(Throwable cause) {}

    @Override
    public int maxInFlightPerKey() {
      return 1;
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void clear() {
    System.clearProperty("otel.exporter.otlp.endpoint");
  }

  @Test
  void aReceiverThatDoesNotAnswerCostsNoMoreThanTheGrace() throws IOException {
    // Connections are taken, and nothing is ever read.
    try (ServerSocket receiver = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String endpoint = "http://127.0.0.1:" + receiver.getLocalPort();
      System.setProperty("otel.exporter.otlp.endpoint", endpoint);
      Tracing tracing = new Tracing("relay-1", () -> Duration.ofMillis(200));
      Prompt broker = new Prompt();
      Publisher publisher = tracing.decorate(broker, BrokerClient.of(Transport.KAFKA));
      publisher.start(broker);
      publisher.send(
          new Outgoing(
              1,
              Destination.topic("orders"),
              null,
              null,
              "a/b",
              "e-1",
              "placed",
              0,
              List.of(TRACEPARENT)));

      long start = System.nanoTime();
      tracing.close();

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
  }
}
