package io.waybill.examples.polyshop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.BooleanSupplier;

/** People who order over HTTP; every tenth request is a bad one. */
final class Customers {
  private static final int BAD_EVERY = 10;
  private static final int CREATED = 201;
  private static final int BAD_REQUEST = 400;

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI orders;

  Customers(int port) {
    orders = URI.create("http://127.0.0.1:" + port + "/orders");
  }

  /**
   * How the requests ended.
   *
   * @param created orders
   * @param refused bad requests
   * @param example what the service said to the last bad one
   */
  record Outcome(int created, int refused, String example) {}

  /** Sends so many requests, unless asked to stop. */
  Outcome order(int requests, BooleanSupplier stop) throws IOException, InterruptedException {
    int created = 0;
    int refused = 0;
    String example = "";
    for (int i = 0; i < requests && !stop.getAsBoolean(); i++) {
      HttpResponse<String> response = post(i);
      if (response.statusCode() == CREATED) {
        created++;
      } else if (response.statusCode() == BAD_REQUEST) {
        refused++;
        example = response.body();
      } else {
        throw new IllegalStateException("The service answered " + response.statusCode());
      }
    }
    return new Outcome(created, refused, example);
  }

  private HttpResponse<String> post(int number) throws IOException, InterruptedException {
    int quantity = number % BAD_EVERY == BAD_EVERY - 1 ? 0 : 1 + number % 3;
    String body =
        """
        {"userId": "user-%d", "items": [
          {"productId": "book", "quantity": %d, "unitPrice": 12.50},
          {"productId": "pen", "quantity": 1, "unitPrice": 0.99}]}"""
            .formatted(number % 20, quantity);
    HttpRequest request =
        HttpRequest.newBuilder(orders)
            .header("Content-Type", "application/json")
            .header("traceparent", "00-%032x-00f067aa0ba902b7-01".formatted(number + 1))
            .header("X-Correlation-Id", "checkout-" + number)
            .header("Idempotency-Key", "request-" + number)
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
