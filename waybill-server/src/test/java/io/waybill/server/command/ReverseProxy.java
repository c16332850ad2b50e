package io.waybill.server.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reverse proxy before several instances, which it asks in turn. It takes a path prefix away,
 * adds to the headers that tell of the client, and asks the next instance where nobody listens.
 */
final class ReverseProxy implements AutoCloseable {
  private static final String PREFIX = "/shop/outbox";
  private static final Set<String> OF_A_CONNECTION =
      Set.of(
          "connection", "content-length", "host", "transfer-encoding", "upgrade", "http2-settings");

  private final List<String> instances;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger turn = new AtomicInteger();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  ReverseProxy(String... instances) throws IOException {
    this.instances = List.of(instances);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(PREFIX + "/", this::pass);
    server.start();
  }

  /** The address before that of the API. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + PREFIX;
  }

  /** The instances that have answered, in order. */
  List<String> asked() {
    return asked;
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      for (int tried = 0; tried < instances.size(); tried++) {
        String instance = instances.get(turn.getAndIncrement() % instances.size());
        try {
          HttpResponse<InputStream> answer =
              client.send(request(exchange, instance, body), BodyHandlers.ofInputStream());
          asked.add(instance);
          answer(exchange, answer);
          return;
        } catch (ConnectException e) {
          // The next one.
        }
      }
      exchange.sendResponseHeaders(502, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpRequest request(HttpExchange exchange, String instance, byte[] body) {
    String path = exchange.getRequestURI().toString().substring(PREFIX.length());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(instance + path))
            .version(HttpClient.Version.HTTP_1_1)
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!OF_A_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    // Behind what the client itself has sent, as proxies do.
    request.header("X-Forwarded-For", exchange.getRemoteAddress().getAddress().getHostAddress());
    request.setHeader("X-Forwarded-Proto", "https");
    request.setHeader("X-Forwarded-Host", "shop.example.com");
    request.setHeader("X-Forwarded-Prefix", PREFIX);
    return request.build();
  }

  private static void answer(HttpExchange exchange, HttpResponse<InputStream> answer)
      throws IOException {
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!OF_A_CONNECTION.contains(name)) {
                exchange.getResponseHeaders().put(name, values);
              }
            });
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.statusCode(), head ? -1 : 0);
    try (InputStream from = answer.body();
        OutputStream to = exchange.getResponseBody()) {
      byte[] buffer = new byte[8192];
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        to.write(buffer, 0, read);
        // A stream is passed on as it comes.
        to.flush();
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
