package io.waybill.bench.run;

import io.waybill.bench.stage.Stage.Ground;
import io.waybill.proof.server.FreePort;
import io.waybill.proof.server.ProcessGuard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The API of an outbox in a process of its own, and clients that listen to its stream. */
public final class Streams implements AutoCloseable {
  // The command builds it; the working directory is that of the sources.
  private static final Path JAR = Path.of("waybill-server/target/relay/waybill-server-relay.jar");
  private static final String CONFIG =
      """
      waybill.outboxes.bench:
        database:
          url: "${BENCH_URL}"
          username: "${BENCH_USER}"
        kafka.bootstrap-servers: localhost:1
        routes.default.target: bench
      server:
        address: 127.0.0.1
        port: ${BENCH_PORT}
      spring.security.user:
        name: bench
        password: "{noop}${BENCH_LOGIN}"
        roles: WAYBILL_VIEWER
      """;
  private static final String USER = "user=";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long PAUSE_MILLIS = 200;
  // As many answers, or news for each client: later ones cost the API no more of its start.
  private static final int WARM = 15;
  private static final String LOGIN =
      Base64.getEncoder().encodeToString("bench:bench".getBytes(StandardCharsets.UTF_8));

  private final Path folder;
  private final ProcessGuard processes;
  private final String outbox;
  private final HttpClient client = HttpClient.newHttpClient();
  private final LongAdder told = new LongAdder();

  private Streams(Path folder, String outbox) {
    this.folder = folder;
    this.processes = new ProcessGuard(folder);
    this.outbox = outbox;
  }

  /**
   * Starts the API, and waits until it and its clients are in their stride: what is measured beside
   * it is no start. Without clients it has answered as often as it would have told one.
   */
  public static Streams start(Ground ground, int clients) {
    int port = FreePort.find();
    try {
      Path folder = Files.createTempDirectory("waybill-streams-");
      Files.writeString(folder.resolve("api.yaml"), CONFIG);
      Streams streams = new Streams(folder, "http://127.0.0.1:" + port + "/api/v1/outboxes/bench");
      streams.run(environment(ground.url(), port), clients);
      return streams;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Login and address are apart there; the servers of a run ask for no password. */
  private static Map<String, String> environment(String url, int port) {
    String query = url.substring(url.indexOf('?') + 1);
    String user =
        Stream.of(query.split("&", -1))
            .filter(each -> each.startsWith(USER))
            .map(each -> each.substring(USER.length()))
            .findFirst()
            .orElseThrow();
    return Map.of(
        "BENCH_URL",
        url.substring(0, url.indexOf('?')),
        "BENCH_USER",
        user,
        "BENCH_PORT",
        Integer.toString(port),
        "BENCH_LOGIN",
        "bench");
  }

  private void run(Map<String, String> environment, int clients) {
    try {
      Process api =
          processes.run(
              "api",
              environment,
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-jar",
                  JAR.toAbsolutePath().toString(),
                  "api",
                  "--config",
                  folder.resolve("api.yaml").toString()));
      await("answer", () -> answersAll() || !api.isAlive());
      for (int i = 0; i < clients; i++) {
        listen(i);
      }
      // The age of the oldest event that waits is news each time.
      await("tell every client", () -> told.sum() >= (long) clients * WARM || !api.isAlive());
      if (!api.isAlive()) {
        throw new IllegalStateException(
            "The API has ended: " + Files.readString(folder.resolve("api.out")));
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Something that may have come true. */
  private interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  private void await(String what, Condition condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    try {
      while (!condition.holds()) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("The API did not " + what + " in time: " + outbox);
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (IOException e) {
      throw new IllegalStateException("The API did not " + what + ": " + outbox, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the API was to " + what, e);
    }
  }

  private boolean answersAll() throws InterruptedException {
    for (int i = 0; i < WARM; i++) {
      if (!answers()) {
        return false;
      }
    }
    return true;
  }

  private boolean answers() throws InterruptedException {
    try {
      return client.send(request(""), BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false; // It starts.
    }
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(outbox + path))
        .header("Authorization", "Basic " + LOGIN)
        .build();
  }

  private void listen(int number) {
    Thread reader = new Thread(this::read, "stream-" + number);
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (InputStream body = client.send(request("/stream"), BodyHandlers.ofInputStream()).body();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data:")) {
          told.increment();
        }
      }
    } catch (IOException e) {
      return; // The API has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How often clients have been told of something, all together. */
  public long told() {
    return told.sum();
  }

  @Override
  public void close() {
    processes.close();
  }
}
