package io.waybill.examples.polyshop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;

/** Register, and place orders at the gateway. They try again what was not taken. */
final class Buyers {
  private static final int CREATED = 201;
  private static final int CONFLICT = 409;
  private static final Duration LONGEST = Duration.ofSeconds(15);
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI gateway;

  Buyers(URI gateway) {
    this.gateway = gateway;
  }

  /** Registers so many users, and takes the two products that they buy into the catalogue. */
  void prepare(int users) throws InterruptedException {
    for (int number = 0; number < users; number++) {
      post("/users", "{\"userId\": \"user-%d\", \"name\": \"User %d\"}".formatted(number, number));
    }
    for (String product : new String[] {"book", "pen"}) {
      post(
          "/products",
          """
          {"userId": "clerk", "productId": "%s", "title": "A good %s, a %s for each day"}"""
              .formatted(product, product, product));
    }
  }

  /** Places an order of one to three books and a pen. */
  void order(int number) throws InterruptedException {
    post(
        "/orders",
        """
        {"userId": "user-%d", "items": [
          {"productId": "book", "quantity": %d, "unitPrice": 12.50},
          {"productId": "pen", "quantity": 1, "unitPrice": 0.99}]}"""
            .formatted(number, 1 + number % 3));
  }

  /** Until it is taken: what is sent again may be taken twice, as orders without id are. */
  private void post(String path, String json) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    String last = "";
    while (System.nanoTime() - end < 0) {
      try {
        HttpResponse<String> answer = client.send(request(path, json), BodyHandlers.ofString());
        if (answer.statusCode() == CREATED || answer.statusCode() == CONFLICT) {
          return;
        }
        last = answer.statusCode() + " " + answer.body();
      } catch (IOException e) {
        last = e.toString();
      }
      Thread.sleep(PAUSE.toMillis());
    }
    throw new IllegalStateException(
        String.format(Locale.ROOT, "POST %s was not taken in %s: %s", path, PATIENCE, last));
  }

  private HttpRequest request(String path, String json) {
    return HttpRequest.newBuilder(gateway.resolve(path))
        .timeout(LONGEST)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(json))
        .build();
  }
}
