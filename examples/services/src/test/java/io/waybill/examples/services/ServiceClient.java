package io.waybill.examples.services;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;

/** Posts JSON to a running service, and reads from it. */
public record ServiceClient(String base) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** For a service that serves on the loopback interface. */
  public static ServiceClient of(ConfigurableApplicationContext service) {
    return new ServiceClient(
        "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port"));
  }

  /** Reads. */
  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofMinutes(1)).build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request with further headers: name, value, name, value. */
  public HttpResponse<String> post(String path, String json, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Duration.ofMinutes(1))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
