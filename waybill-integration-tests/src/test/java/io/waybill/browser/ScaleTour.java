package io.waybill.browser;

import com.microsoft.playwright.Locator;
import io.waybill.console.internal.ConsoleRequestHandler;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Every page beside many events: its time, its size, and a browser's memory while it stays open.
 */
final class ScaleTour {
  private static final int SAID_EVERY_SECONDS = 10;
  private static final int WRITTEN_EVERY_MILLIS = 200;

  private final ScaleOptions options;
  private final Chromium chromium;
  private final PrintStream out;
  private final long began = System.nanoTime();
  private volatile String now = "";

  ScaleTour(ScaleOptions options, Chromium chromium, PrintStream out) {
    this.options = options;
    this.chromium = chromium;
    this.out = out;
  }

  /** What does not hold, one line each. */
  List<String> run() throws Exception {
    ScheduledExecutorService ticks = Executors.newScheduledThreadPool(2);
    try {
      out.println(options.text());
      Future<?> unused =
          ticks.scheduleAtFixedRate(
              this::say, SAID_EVERY_SECONDS, SAID_EVERY_SECONDS, TimeUnit.SECONDS);
      try (ManyEvents events = new ManyEvents(options, this::begin)) {
        return run(events, ticks);
      } finally {
        ticks.shutdownNow();
        begin("ending the servers");
      }
    } finally {
      ticks.shutdownNow();
    }
  }

  private List<String> run(ManyEvents events, ScheduledExecutorService ticks) throws Exception {
    Future<?> unused =
        ticks.scheduleWithFixedDelay(
            () -> write(events), 0, WRITTEN_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    List<String> found = new ArrayList<>();
    String job;
    try (Person person = events.enter(chromium)) {
      begin("planning a job for a group of failures");
      String parked = group(person, "parked");
      job = plan(person, parked);
      begin("asking for pages");
      List<String> addresses = addresses(job, parked, group(person, "dead"));
      PageTimes times = new PageTimes(person.outbox(), person.cookies());
      times.measure(addresses, round -> now = "asking for pages, round " + round);
      times.table().forEach(out::println);
      found.addAll(times.findings());
      missing(addresses).forEach(path -> found.add("not asked for: " + path));
      run(person, job);
    }
    found.addAll(memory(events, job));
    try (Person person = events.enter(chromium)) {
      person.open(job);
      person.click("Cancel the job");
      person.see("CANCELLED");
    }
    return found;
  }

  private void begin(String what) {
    now = what;
    say();
  }

  private void say() {
    out.printf("%6d s  %s%n", (System.nanoTime() - began) / 1_000_000_000, now);
  }

  /** What is new all the time. */
  private void write(ManyEvents events) {
    try {
      String unused = events.write();
    } catch (Exception e) {
      out.println("no event was written: " + e.getMessage());
    }
  }

  /** The first group of failures of a state. */
  private static String group(Person person, String state) {
    person.open("failures?state=" + state);
    Locator plan = person.page().locator("main a[href^='plan?group=']").first();
    return plan.getAttribute("href").replaceFirst(".*=", "");
  }

  /** A plan, which changes nothing, for a job so slow that it would run all the time. */
  private static String plan(Person person, String group) {
    person.open("plan?group=" + group);
    person.write("Rate", "1");
    person.click("Plan it");
    person.see("This is a plan");
    return person.page().url().replaceFirst(".*/", "");
  }

  private static void run(Person person, String job) {
    person.open(job);
    person.write("Why", "a page that renews itself");
    person.click("Run");
    person.see("Cancel the job");
  }

  private static List<String> addresses(String job, String parked, String dead) {
    return List.of(
        "overview",
        "overview?part=now",
        "overview?part=history",
        "failures",
        "failures?state=dead",
        "failures?state=pending",
        "keys",
        "destinations",
        "destination?name=orders",
        "declare?destination=orders",
        "events",
        "events?state=pending",
        "events?state=published",
        "events?state=parked",
        "events?state=dead",
        "events?type=order.1",
        "events?type=none",
        "events?aggregateType=order&aggregateId=failed.711",
        "events?eventId=failed-711",
        "events?reason=reason-1",
        "events?group=" + parked,
        "events?since=2026-01-01T00:00:00Z",
        "events?traceId=4bf92f3577b34da6a3ce929d0e0e4736",
        "event?id=failed-711",
        "event?id=kept-711",
        "event?id=behind-711",
        "find?q=failed-711",
        "find?q=order/failed.711",
        "correct?id=failed-712",
        "purge?group=" + dead,
        "relays",
        "storage",
        "checks",
        "plan?group=" + parked,
        "plan?eventId=failed-711",
        "jobs",
        job,
        "audit",
        "dead-letters",
        "dead-letters?source=bills",
        "inbox",
        "export?list=events",
        "export?list=events&state=parked",
        "export?list=failures",
        "export?list=keys",
        "export?list=audit");
  }

  private static Set<String> missing(List<String> addresses) {
    Set<String> paths = new TreeSet<>(ConsoleRequestHandler.PATHS);
    paths.removeAll(
        addresses.stream().map(each -> each.replaceFirst("\\?.*", "")).collect(Collectors.toSet()));
    return paths;
  }

  private List<String> memory(ManyEvents events, String job) {
    List<String> found = new ArrayList<>();
    try (BrowserMemory overview = new BrowserMemory(events.enter(chromium), "overview");
        BrowserMemory jobs = new BrowserMemory(events.enter(chromium), job);
        BrowserMemory checks = new BrowserMemory(events.enter(chromium), "checks")) {
      List<BrowserMemory> open = List.of(overview, jobs, checks);
      long every = TimeUnit.MINUTES.toMillis(options.minutes()) / BrowserMemory.READINGS;
      now = "pages are open";
      for (int i = 0; i <= BrowserMemory.READINGS; i++) {
        if (i > 0) {
          overview.hold(every);
        }
        for (BrowserMemory each : open) {
          out.println(each.read());
        }
      }
      open.forEach(each -> found.addAll(each.findings()));
      if (!overview.isTold()) {
        found.add("overview: asks by itself, and is not told");
      }
    }
    return found;
  }
}
