package io.waybill.browser;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** The memory of one open page that renews itself. For the thread of its browser. */
final class BrowserMemory implements AutoCloseable {
  /** So many readings are judged, after the first one. */
  static final int READINGS = 10;

  private static final int THIRD = READINGS / 3;
  private static final double MOST_GROWTH = 1.2;
  // Lost when the page is loaded again.
  private static final String COUNT =
      """
      () => {
        window.renewed = 0;
        new MutationObserver(() => window.renewed++)
            .observe(document.querySelector('main'), {childList: true, subtree: true});
      }""";

  private final Person person;
  private final String address;
  private final CDPSession session;
  private final List<Reading> readings = new ArrayList<>();
  private int polled;

  /**
   * What a browser says after it has collected its garbage.
   *
   * @param heap bytes of scripts
   * @param nodes of documents
   * @param renewed how often the page has renewed itself
   */
  private record Reading(long heap, long nodes, long renewed) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "heap %,d kB, %,d nodes, renewed %,d times", heap / 1_000, nodes, renewed);
    }
  }

  /** Opens the page. */
  BrowserMemory(Person person, String address) {
    this.person = person;
    this.address = address;
    Page page = person.page();
    page.onRequest(
        request -> {
          if (request.url().contains("part=now")) {
            polled++;
          }
        });
    person.open(address);
    page.evaluate(COUNT);
    session = page.context().newCDPSession(page);
    session.send("Performance.enable");
    session.send("HeapProfiler.enable");
  }

  /** Stays open for a time in which the browser's events are taken. */
  void hold(long millis) {
    person.page().waitForTimeout((double) millis);
  }

  /** Reads once more, and says what. */
  String read() {
    session.send("HeapProfiler.collectGarbage");
    JsonObject metrics = session.send("Performance.getMetrics");
    Object renewed = person.page().evaluate("() => window.renewed ?? -1");
    Reading reading =
        new Reading(
            metric(metrics, "JSHeapUsedSize"),
            metric(metrics, "Nodes"),
            Long.parseLong(String.valueOf(renewed)));
    readings.add(reading);
    return address + ": " + reading;
  }

  private static long metric(JsonObject metrics, String name) {
    for (JsonElement each : metrics.getAsJsonArray("metrics")) {
      JsonObject metric = each.getAsJsonObject();
      if (metric.get("name").getAsString().equals(name)) {
        return metric.get("value").getAsLong();
      }
    }
    throw new IllegalStateException("Chromium has no metric " + name);
  }

  /** What does not hold: the last third of the readings is compared with the first one. */
  List<String> findings() {
    List<String> found = new ArrayList<>();
    grows("heap", Reading::heap, found);
    grows("number of nodes", Reading::nodes, found);
    if (readings.stream().anyMatch(each -> each.renewed() < 0)) {
      found.add(address + ": was loaded again");
    }
    if (readings.get(READINGS).renewed() <= readings.get(1).renewed()) {
      found.add(address + ": did not renew itself");
    }
    person.complaints().forEach(each -> found.add(address + ": " + each));
    return found;
  }

  private void grows(String what, ToLongFunction<Reading> value, List<String> found) {
    long first = middle(readings.subList(1, 1 + THIRD), value);
    long last = middle(readings.subList(1 + READINGS - THIRD, 1 + READINGS), value);
    if (last > MOST_GROWTH * first) {
      found.add(
          String.format(
              Locale.ROOT,
              "%s: the %s grows %.2f times, at most %.1f",
              address,
              what,
              (double) last / first,
              MOST_GROWTH));
    }
  }

  /** One reading may fall into a renewal, when the old part is still there. */
  private static long middle(List<Reading> some, ToLongFunction<Reading> value) {
    return some.stream().mapToLong(value).sorted().skip(some.size() / 2).findFirst().orElseThrow();
  }

  /** Whether the stream brings what is new: where it is slow, the page asks by itself. */
  boolean isTold() {
    return polled < readings.get(READINGS).renewed() / 2;
  }

  @Override
  public void close() {
    person.close();
  }
}
