package io.waybill.browser;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long pages take by plain HTTP, and how large they are. Each is asked for in turn, and all of
 * them again and again, so that none has the database to itself.
 */
final class PageTimes {
  private static final int WARM = 3;
  private static final int TIMES = 40;
  private static final double MOST_MILLIS = 300;
  private static final long MOST_BYTES = 500_000;
  // A file begins within the mark; how long it is, is for who saves it.
  private static final String FILE = "export?";

  private final HttpClient client = HttpClient.newHttpClient();
  private final String outbox;
  private final String cookie;
  private final Map<String, Measured> pages = new LinkedHashMap<>();

  /** What was measured of a page so far. */
  private static final class Measured {
    private final double[] millis = new double[TIMES];
    private long bytes;
    private int status;
  }

  /**
   * Asks for nothing yet.
   *
   * @param outbox address of the pages of an outbox, up to the last slash
   * @param cookie of somebody who has logged in
   */
  PageTimes(String outbox, String cookie) {
    this.outbox = outbox;
    this.cookie = cookie;
  }

  /**
   * Measures these pages, and the second part of each list among them.
   *
   * @param rounds receives the number of each round
   */
  void measure(List<String> addresses, IntConsumer rounds)
      throws IOException, InterruptedException {
    for (String address : addresses) {
      pages.put(address, new Measured());
      String page = ask(address, pages.get(address));
      next(address, page).ifPresent(next -> pages.put(next, new Measured()));
    }
    for (int i = 1 - WARM; i < TIMES; i++) {
      rounds.accept(i + WARM);
      for (Map.Entry<String, Measured> page : pages.entrySet()) {
        long began = System.nanoTime();
        String unused = ask(page.getKey(), page.getValue());
        if (i >= 0) {
          page.getValue().millis[i] = (System.nanoTime() - began) / 1e6;
        }
      }
    }
  }

  private String ask(String address, Measured measured) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(outbox + address)).header("Cookie", cookie).build();
    HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      byte[] bytes = address.startsWith(FILE) ? body.readNBytes(1) : body.readAllBytes();
      measured.status = answer.statusCode();
      measured.bytes = Math.max(measured.bytes, bytes.length);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** The link of a list to what follows. */
  private static Optional<String> next(String address, String page) {
    String path = address.replaceFirst("\\?.*", "");
    Matcher link = Pattern.compile("href=\"(" + path + "\\?[^\"]*after=[^\"]+)\"").matcher(page);
    return link.find() && !address.startsWith(FILE)
        ? Optional.of(link.group(1).replace("&amp;", "&"))
        : Optional.empty();
  }

  /** A line for each page. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(Locale.ROOT, "%8s %8s %8s %10s  page", "p50 ms", "p95", "max", "bytes"));
    pages.forEach(
        (address, page) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%8.1f %8.1f %8.1f %10s  %s%s",
                    percentile(page, 0.5),
                    percentile(page, 0.95),
                    percentile(page, 1),
                    address.startsWith(FILE)
                        ? "begins"
                        : String.format(Locale.ROOT, "%,d", page.bytes),
                    address,
                    page.status == 200 ? "" : " (" + page.status + ")")));
    return lines;
  }

  private static double percentile(Measured page, double share) {
    double[] sorted = page.millis.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(share * TIMES) - 1];
  }

  /** What is beyond a mark. */
  List<String> findings() {
    List<String> found = new ArrayList<>();
    pages.forEach(
        (address, page) -> {
          double p95 = percentile(page, 0.95);
          if (p95 > MOST_MILLIS) {
            found.add(
                String.format(
                    Locale.ROOT, "%s: p95 is %.0f ms, at most %.0f", address, p95, MOST_MILLIS));
          }
          if (page.bytes > MOST_BYTES) {
            found.add(
                String.format(
                    Locale.ROOT, "%s: %,d bytes, at most %,d", address, page.bytes, MOST_BYTES));
          }
          if (page.status >= 400) {
            found.add(address + ": answered " + page.status);
          }
        });
    return found;
  }
}
