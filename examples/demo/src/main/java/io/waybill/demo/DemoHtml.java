package io.waybill.demo;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;

/**
 * What the demo's page looks like now.
 *
 * @param progress how far it is; null before the first order
 * @param buttons the buttons
 * @param latest what happened, the latest first
 * @param console where the console is
 * @param ended whether the end was asked for
 * @param result the reconciliation, or empty
 */
record DemoHtml(
    @Nullable Progress progress,
    List<Buttons.Button> buttons,
    List<String> latest,
    ConsoleAccess console,
    boolean ended,
    String result) {
  private static final String WHOLE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Waybill demo</title>
      <link rel="stylesheet" href="page.css">
      <script src="page.js" defer></script>
      <noscript><meta http-equiv="refresh" content="2"></noscript>
      </head>
      <body>
      <main>
      <h1>Waybill demo</h1>
      <p role="alert" id="gone" hidden>The demo has ended. The terminal has its reconciliation.</p>
      <div id="result">${result}</div>
      <p>An order service changes orders and writes an event of each change in the same transaction.
      Two relays carry the events to the broker, and a consumer records what arrives. Break something
      here, look at it in the console, and repair it there.</p>
      <p><a class="button" id="console" href="console?overview" target="waybill-console">Open the console</a>
      It is served by relay-2; you are logged in as ${user}.</p>
      <div id="now">${now}</div>
      <h2>Break something</h2>
      <div id="faults"><ul class="faults">
      ${faults}</ul></div>
      <h2>What happened</h2>
      <div id="happened"><ul class="happened">
      ${latest}</ul></div>
      <h2>The end</h2>
      <div id="end">${end}</div>
      </main>
      </body>
      </html>
      """;

  private static final String END =
      """
      <p>The orders end, what is broken is mended, and what is committed is still delivered. Then the
      business rows are compared with what the consumer received.</p>
      <form method="post" action="end"><button id="finish">End and reconcile</button></form>
      """;

  private static final String ENDING =
      "<p>The orders have ended. The reconciliation follows, here and in the terminal.</p>\n";

  String page() {
    return fill(
        WHOLE,
        Map.of(
            "result",
            result.isEmpty() ? "" : "<pre role=\"status\">" + escaped(result) + "</pre>",
            "user",
            escaped(ConsoleAccess.USER),
            "now",
            now(),
            "faults",
            buttons.stream().map(this::fault).collect(Collectors.joining()),
            "latest",
            latest.stream()
                .map(line -> "<li>" + escaped(line) + "</li>\n")
                .collect(Collectors.joining()),
            "end",
            ended || !result.isEmpty() ? ENDING : END));
  }

  private String now() {
    Progress now = progress;
    if (now == null) {
      return "<p>The order service starts.</p>";
    }
    String lanes =
        now.lanes().entrySet().stream()
            .map(relay -> relay.getKey() + ": " + relay.getValue())
            .collect(Collectors.joining(", "));
    return "<dl class=\"numbers\">\n"
        + number("Written", now.written())
        + number("Published", now.published())
        + number("Received", now.consumed())
        + number("On the way", now.lag())
        + number("Skipped", now.givenUp())
        + entry("Lanes", escaped(lanes))
        + "</dl>\n";
  }

  private static String number(String label, long number) {
    return entry(label, String.format(Locale.ROOT, "%,d", number));
  }

  private static String entry(String label, String value) {
    return "<div><dt>%s</dt><dd>%s</dd></div>%n".formatted(label, value);
  }

  private String fault(Buttons.Button button) {
    Fault fault = button.fault();
    boolean early = progress == null || progress.written() == 0;
    return fill(
        """
        <li class="${state}"><h3>${label}</h3>
        <p>${told}</p>
        <form method="post" action="press"><button id="press-${key}" name="${act}" value="${key}"${busy}>${press}</button>
        <a href="console?${page}" target="waybill-console">See it in the console</a></form></li>
        """,
        Map.of(
            "state", button.mends() ? "broken" : "well",
            "label", escaped(fault.label()),
            "told", escaped(fault.told()),
            "key", escaped(fault.key()),
            "act", button.mends() ? "mend" : "make",
            "busy", early || button.busy() ? " disabled" : "",
            "press", escaped(pressed(button)),
            "page", escaped(fault.page())));
  }

  private static String pressed(Buttons.Button button) {
    return button.mends() ? button.fault().mending() : button.fault().label();
  }

  /** What is put in is not looked at again. */
  private static String fill(String text, Map<String, String> values) {
    StringBuilder filled = new StringBuilder();
    int at = 0;
    for (int begin = text.indexOf("${"); begin >= 0; begin = text.indexOf("${", at)) {
      int end = text.indexOf('}', begin);
      filled.append(text, at, begin).append(values.get(text.substring(begin + 2, end)));
      at = end + 1;
    }
    return filled.append(text.substring(at)).toString();
  }

  private static String escaped(String text) {
    return HtmlUtils.htmlEscape(text, "UTF-8");
  }
}
