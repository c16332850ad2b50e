package io.waybill.bench.compare;

import io.waybill.bench.report.Report.Line;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A comparison as one HTML file that loads nothing else. */
final class HtmlReport {
  private static final String LIBRARY = "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.js";
  private static final String LIBRARY_VERSION =
      "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final List<String> HEADINGS =
      List.of(
          "candidate",
          "events/s warm",
          "events/s cold",
          "x loop warm",
          "x loop cold",
          "relay CPU",
          "database CPU",
          "p50 ms",
          "p99 ms",
          "peak MB",
          "hot key/s",
          "2 instances/s",
          "lost",
          "duplicates",
          "inversions",
          "events measured",
          "stopped at cap",
          "pending at end");

  private final CompareReport report;
  private final StringBuilder body = new StringBuilder();

  private HtmlReport(CompareReport report) {
    this.report = report;
  }

  static String of(CompareReport report) {
    HtmlReport html = new HtmlReport(report);
    html.write();
    // The library last: what it contains is not to be taken for a place to fill.
    return resource("/compare.html")
        .replace("@BODY@", html.body)
        .replace("@DATA@", report.json().replace("<", "\\u003c"))
        .replace("@LIBRARY@", library().replace("</script", "<\\/script"));
  }

  private void write() {
    body.append("<h1>Waybill beside its rivals</h1>");
    CompareOptions options = report.run().options();
    paragraph(
        String.format(
            Locale.ROOT,
            "%s. %s to %s. 1 KB JSON, %,d keys, durable settings, one consumer that checks every"
                + " event. Heap 256 MB for every candidate. %d interleaved round(s), medians.",
            report.run().date(),
            report.database(),
            report.broker(),
            options.keys(),
            options.rounds()));
    paragraph("Machine: " + report.run().machine());
    paragraph(
        String.format(
            Locale.ROOT,
            "Drain: %,d events, %,d for slow rivals, stopped after %d s; the rate is of what was"
                + " done. Cold is from the start of the relay on, warm over the second half."
                + " Latency: %d events/s for %d s, from the commit to the broker's confirm. CPU is"
                + " in seconds per 1,000 events, over the second half of the drain.",
            options.events(),
            options.slowEvents(),
            options.capSeconds(),
            options.rate(),
            options.seconds()));
    list("Where Waybill falls short of its targets", report.shortfalls(), "Nowhere in this run.");
    body.append("<h2>Figures</h2><div class=\"charts\">");
    for (String chart : List.of("rate", "latency", "cpu", "memory", "special")) {
      body.append("<div class=\"chart\"><canvas id=\"").append(chart).append("\"></canvas></div>");
    }
    body.append("</div>");
    figures();
    ratios();
    list("Failed", report.failures(), "Nothing.");
    list(
        "Left out",
        report.leftOut().stream().map(one -> one.name() + ": " + one.reason()).toList(),
        "Nobody.");
    pairs("Versions", report.versions());
    body.append("<h2>Settings of the rivals</h2>");
    report.settings().forEach(this::settings);
  }

  private void figures() {
    body.append("<div class=\"wide\"><table><tr>");
    HEADINGS.forEach(heading -> body.append("<th>").append(escaped(heading)).append("</th>"));
    body.append("</tr>");
    for (Line line : report.candidates()) {
      body.append(line.name().startsWith("waybill") ? "<tr class=\"own\">" : "<tr>");
      Map<String, Double> details = line.details();
      cells(
          line.name(),
          line.eventsPerSecond(),
          details.get("coldEventsPerSecond"),
          line.ratioToLoop(),
          details.get("coldRatioToLoop"),
          line.relayCpuSecondsPer1000(),
          line.databaseCpuSecondsPer1000(),
          line.p50Ms(),
          line.p99Ms(),
          line.peakRssMb(),
          details.get("hotKeyEventsPerSecond"),
          details.get("twoInstancesEventsPerSecond"),
          line.lost(),
          line.duplicates(),
          line.orderInversions(),
          details.get("measuredEvents"),
          details.get("stoppedAtCap"),
          details.get("pendingAtEnd"));
    }
    body.append("</table></div>");
  }

  private void ratios() {
    body.append("<h2>Rate against each rival</h2><table><tr><th>rival</th>");
    report.ratios().keySet().forEach(name -> body.append("<th>").append(name).append("</th>"));
    body.append("</tr>");
    report.ratios().values().stream()
        .flatMap(all -> all.keySet().stream())
        .distinct()
        .sorted()
        .forEach(
            rival -> {
              body.append("<tr><td>").append(escaped(rival)).append("</td>");
              report.ratios().values().forEach(all -> body.append(cell(all.get(rival))));
              body.append("</tr>");
            });
    body.append("</table>");
  }

  private void settings(String name, Map<String, String> settings) {
    body.append("<h3>").append(escaped(name)).append("</h3>");
    if (settings.isEmpty()) {
      paragraph("Its defaults.");
    } else {
      table(settings);
    }
  }

  private void pairs(String title, Map<String, String> pairs) {
    body.append("<h2>").append(escaped(title)).append("</h2>");
    table(pairs);
  }

  private void table(Map<String, String> pairs) {
    body.append("<table class=\"text\">");
    pairs.forEach(
        (name, value) ->
            body.append("<tr><td>")
                .append(escaped(name))
                .append("</td><td>")
                .append(escaped(value))
                .append("</td></tr>"));
    body.append("</table>");
  }

  private void list(String title, List<String> items, String none) {
    body.append("<h2>").append(escaped(title)).append("</h2>");
    if (items.isEmpty()) {
      paragraph(none);
      return;
    }
    body.append("<ul class=\"short\">");
    items.forEach(item -> body.append("<li>").append(escaped(item)).append("</li>"));
    body.append("</ul>");
  }

  private void paragraph(String text) {
    body.append("<p>").append(escaped(text)).append("</p>");
  }

  private void cells(@Nullable Object... values) {
    for (Object value : values) {
      body.append(cell(value));
    }
    body.append("</tr>");
  }

  private static String cell(@Nullable Object value) {
    return "<td>" + (value == null ? "" : escaped(shown(value))) + "</td>";
  }

  private static String shown(Object value) {
    if (value instanceof Number number) {
      double figure = number.doubleValue();
      return figure == Math.rint(figure) || Math.abs(figure) >= 1000
          ? String.format(Locale.ROOT, "%,.0f", figure)
          : String.format(Locale.ROOT, "%.4g", figure);
    }
    return value.toString();
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String library() {
    Properties version = new Properties();
    try (InputStream in = HtmlReport.class.getResourceAsStream(LIBRARY_VERSION)) {
      if (in == null) {
        throw new IllegalStateException("The charting library is not on the class path");
      }
      version.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return resource(LIBRARY.formatted(version.getProperty("version")));
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
