package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A busy broker answers 500 now and then. */
class ManagementApiTest {
  private final AtomicInteger asked = new AtomicInteger();
  private int failures;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] answer = "{\"name\": \"orders\"}".getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          boolean fails = asked.getAndIncrement() < failures;
          exchange.sendResponseHeaders(fails ? 500 : 200, fails ? -1 : answer.length);
          if (!fails) {
            exchange.getResponseBody().write(answer);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private ManagementApi api() {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new ManagementApi(
        new RabbitManagement(url, "guest", "guest"), RabbitPublisherConfig.builder().build());
  }

  @Test
  void anAnswerThatFailsIsAskedForAgain() throws Exception {
    failures = 2;

    JsonValue queue = Objects.requireNonNull(api().queue("orders"));

    assertThat(queue.at("name").text()).isEqualTo("orders");
    assertThat(asked).hasValue(3);
  }

  @Test
  void anApiThatGoesOnFailingIsToldOf() {
    failures = Integer.MAX_VALUE;
    assertThatThrownBy(() -> api().queue("orders"))
        .isInstanceOf(IOException.class)
        .hasMessage("the management API answered 500");
    assertThat(asked).hasValue(3);
  }
}
