package io.waybill.examples.services;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * A request that a README shows.
 *
 * @param path where it is posted
 * @param json its body
 */
record SampleRequest(String path, String json) {
  private static final String JSON = "application/json";

  /** The command that sends it to a service. */
  String curl(String base) {
    return "  curl -i %s%s -H 'Content-Type: %s' \\\n    -d '%s'".formatted(base, path, JSON, json);
  }

  /** Sends it; returns the answer in one line. */
  String send(String base) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", JSON)
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    return "POST " + path + ": " + answer.statusCode() + " " + answer.body();
  }
}
