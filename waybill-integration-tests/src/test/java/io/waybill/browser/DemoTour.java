package io.waybill.browser;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.waybill.it.DemoRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The five buttons of the demo's page, pressed one after another, and what ends each fault. */
final class DemoTour {
  private static final int WIDE = 1280;
  private static final int MOST_TRIES = 10;
  private static final String NOW = "() => document.getElementById('now').innerText";
  // Survives no loading of the page.
  private static final String MARK = "() => { window.marked = true; }";
  private static final String MARKED = "() => window.marked === true";

  private final Chromium chromium;
  private final Path keep;
  private final PrintStream out;
  private final List<String> findings = new ArrayList<>();
  private final long began = System.nanoTime();

  DemoTour(Chromium chromium, Path keep, PrintStream out) {
    this.chromium = chromium;
    this.keep = keep;
    this.out = out;
  }

  /** What does not hold, one line each. */
  List<String> run() throws Exception {
    Path folder = Files.createTempDirectory("waybill-demo-tour");
    try (DemoRun demo = new DemoRun(folder, "--wait", "300", "--rate", "50", "--json")) {
      demo.awaitLineWith("in a browser: ");
      demo.awaitLineWith("The console alone: ");
      String page = demo.lineWith("in a browser: ").replaceFirst(".*in a browser: ", "").strip();
      String console =
          demo.lineWith("The console alone: ").replaceFirst(".*(http://[^/]*)/.*", "$1");
      try (Person visitor =
          chromium.person(page.replaceFirst("/[^/]*/$", ""), WIDE, ColorScheme.LIGHT)) {
        visitor.page().navigate(page);
        button(visitor, "relay", "Kill a relay");
        play(visitor, visitor.follow(visitor.page().locator("#console"), console), page);
      }
      int code = demo.awaitEnd();
      done("it has ended with " + code);
      if (code != 0) {
        findings.add("demo: exit code " + code);
      }
      judge(demo.lines());
    }
    return findings;
  }

  private void play(Person visitor, Person operator, String page) throws IOException {
    try {
      enter(operator, page);
      followStream(operator);
      killRelay(visitor, operator);
      stopBroker(visitor, operator);
      sendPoison(visitor, operator);
      misroute(visitor, operator, page);
      deleteTopic(visitor, operator);
    } catch (RuntimeException | AssertionError e) {
      picture(visitor, "demo");
      picture(operator, "console");
      findings.add(
          "demo: %s; see %s"
              .formatted(String.valueOf(e.getMessage()).lines().findFirst().orElse(""), keep));
    }
    visitor.click("End and reconcile");
    visitor.see("lost");
  }

  private void picture(Person person, String name) throws IOException {
    person.picture(Files.createDirectories(keep).resolve("demo-" + name + ".png"));
  }

  private void done(String what) {
    out.printf(
        Locale.ROOT, "%7.1f s  demo: %s%n", (System.nanoTime() - began) / 1_000_000_000.0, what);
  }

  /** By the link of the page; a console that has just begun may not know the login yet. */
  private static void enter(Person operator, String page) {
    int tries = 0;
    do {
      operator.page().navigate(page + "console?overview");
    } while (!operator.page().url().endsWith("/overview") && ++tries < MOST_TRIES);
  }

  /** A number changes, by the stream and without a load of the page. */
  private void followStream(Person operator) {
    Page page = operator.page();
    operator.see("Published a second");
    List<String> asked = new ArrayList<>();
    List<String> told = new ArrayList<>();
    page.onRequest(
        request -> {
          if (request.url().endsWith("part=now")) {
            asked.add(request.url());
          } else if (request.url().endsWith("part=stream")) {
            told.add(request.resourceType());
          }
        });
    page.reload();
    // The first ones may come by a question, before the first event.
    page.waitForTimeout(6_000);
    asked.clear();
    page.evaluate(MARK);
    for (int i = 0; i < 3; i++) {
      Object before = page.evaluate(NOW);
      page.waitForFunction("before => document.getElementById('now').innerText !== before", before);
    }
    if (!Boolean.TRUE.equals(page.evaluate(MARKED))) {
      findings.add("the overview was loaded again");
    }
    if (!told.contains("eventsource") || !asked.isEmpty()) {
      findings.add(
          "the overview does not follow the stream: "
              + told
              + ", asked "
              + asked.size()
              + " times");
    }
    done("numbers of the overview changed three times by the stream");
  }

  /** Presses a button once it says this. */
  private static void press(Person visitor, String key, String label) {
    visitor.click(button(visitor, key, label));
  }

  /** A button, once it says this and can be pressed. */
  private static Locator button(Person visitor, String key, String label) {
    Locator button = visitor.page().locator("#press-" + key + ":enabled");
    PlaywrightAssertions.assertThat(button)
        .hasText(label, new LocatorAssertions.HasTextOptions().setTimeout(Person.LIMIT));
    return button;
  }

  private void killRelay(Person visitor, Person operator) {
    press(visitor, "relay", "Kill a relay");
    // The page does not renew itself, and lanes are taken by then.
    button(visitor, "relay", "Start it again");
    operator.open("relays");
    operator.see("Taken from dead relays", "relay-1");
    done("relay-1 is dead, and the console says from whom lanes were taken");
    press(visitor, "relay", "Start it again");
    button(visitor, "relay", "Kill a relay");
    done("relay-1 runs again");
  }

  private void stopBroker(Person visitor, Person operator) {
    operator.open("overview");
    press(visitor, "broker", "Stop the broker");
    Locator box = operator.box("The broker takes no events");
    operator.see(box, "Look at the broker");
    done("the broker is away, and the console says so");
    press(visitor, "broker", "Start the broker");
    operator.seeGone(box);
    done("events flow");
  }

  private void sendPoison(Person visitor, Person operator) {
    press(visitor, "poison", "Send poison");
    Locator box = operator.box("parked: record-too-large");
    operator.see(box, "open the event and skip it");
    operator.click(box, "Look and retry");
    operator.click(operator.page().locator("#verb-skip"));
    run(operator);
    done("poison was skipped");
  }

  private static void run(Person operator) {
    operator.click("Plan it");
    operator.write("Why", "seen in the demo");
    operator.click("Run");
    operator.see("DONE");
    operator.go("Overview");
  }

  private void misroute(Person visitor, Person operator, String page) {
    press(visitor, "misroute", "Misroute");
    operator.see(operator.box("of type order.returned parked"), "Correct the route");
    done("returns are parked, and the console says why");
    press(visitor, "misroute", "Right the route");
    button(visitor, "misroute", "Misroute");
    // The console was away, and knows the login no more.
    enter(operator, page);
    operator.click(operator.box("of type order.returned parked"), "Look and retry");
    run(operator);
    done("returns were retried");
  }

  private void deleteTopic(Person visitor, Person operator) {
    press(visitor, "topic", "Delete the topic");
    Locator box = operator.box("Destination orders takes no events");
    operator.see(box, "Declare what is missing");
    operator.declare(box, "it was deleted");
    done("the topic is declared, and events flow");
  }

  private void judge(List<String> lines) {
    String result = lines.get(lines.size() - 1);
    done(result);
    for (String zero : List.of("lost", "ghosts", "orderViolations")) {
      if (!result.contains("\"" + zero + "\":0,")) {
        findings.add("demo: not 0 " + zero + ": " + result);
      }
    }
    if (!result.contains("\"faults\":5,")) {
      findings.add("demo: not five faults: " + result);
    }
    if (lines.stream().noneMatch(line -> line.startsWith("OK: every committed event arrived"))) {
      findings.add("demo: it does not say that every committed event arrived");
    }
  }
}
