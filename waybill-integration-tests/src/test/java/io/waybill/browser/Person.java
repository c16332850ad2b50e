package io.waybill.browser;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Somebody at a browser, whose clicks are counted. For the thread of its browser. */
final class Person implements AutoCloseable {
  static final double LIMIT = Patience.of(Duration.ofMinutes(2)).toMillis();
  private static final String SHOP = "/console/outboxes/orders/";

  private final BrowserContext context;
  private final String console;
  private final Page page;
  private final List<String> complaints = new ArrayList<>();
  private int clicks;

  Person(BrowserContext context, String console) {
    this(context, console, context.newPage());
  }

  private Person(BrowserContext context, String console, Page page) {
    this.context = context;
    this.console = console;
    this.page = page;
    context.setDefaultTimeout(LIMIT);
    page.onConsoleMessage(
        message -> {
          if (!message.type().equals("log") && !message.type().equals("info")) {
            complaints.add(message.type() + ": " + message.text());
          }
        });
    page.onPageError(error -> complaints.add("error: " + error));
    page.onRequest(
        request -> {
          if (!request.url().startsWith(console + "/")) {
            complaints.add("asks another host: " + request.url());
          }
        });
  }

  /**
   * What the browser has complained about since the last call: errors, and what a policy blocked.
   */
  List<String> complaints() {
    List<String> all = List.copyOf(complaints);
    complaints.clear();
    return all;
  }

  Person login(String user, String password) {
    page.navigate(console + "/console");
    page.locator("input[name=user]").fill(user);
    page.locator("input[name=password]").fill(password);
    page.locator("input[name=password]").press("Enter");
    page.waitForURL("**" + SHOP + "overview");
    return this;
  }

  /** Looks at a page by its address, as one who has it from a colleague. */
  void open(String address) {
    page.navigate(outbox() + address);
  }

  /** Clicks at a link that opens a console in a window of its own; returns who looks at that. */
  Person follow(Locator link, String itsConsole) {
    return new Person(context, itsConsole, context.waitForPage(() -> click(link)));
  }

  /** Whether an address has a page, and not a file to save. */
  boolean isPage(String address) {
    APIResponse answer = context.request().get(outbox() + address);
    String type = answer.headers().getOrDefault("content-type", "");
    answer.dispose();
    return type.startsWith("text/html");
  }

  Page page() {
    return page;
  }

  /** Address of the pages of the outbox. */
  String outbox() {
    return console + SHOP;
  }

  /** The login, as a header has it. */
  String cookies() {
    return context.cookies().stream()
        .map(cookie -> cookie.name + "=" + cookie.value)
        .collect(Collectors.joining("; "));
  }

  int clicks() {
    return clicks;
  }

  void startOver() {
    clicks = 0;
  }

  /** A box of the overview, by a part of its heading. */
  Locator box(String what) {
    return page.locator("section.trouble")
        .filter(new Locator.FilterOptions().setHas(heading(what)));
  }

  private Locator heading(String what) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(what));
  }

  /** Waits until a place shows all these texts. */
  void see(Locator place, String... texts) {
    for (String text : texts) {
      PlaywrightAssertions.assertThat(place.first())
          .containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(LIMIT));
    }
  }

  /** Waits until the page shows all these texts. */
  void see(String... texts) {
    see(page.locator("main"), texts);
  }

  /** Waits until a place is gone. */
  void seeGone(Locator place) {
    PlaywrightAssertions.assertThat(place)
        .hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(LIMIT));
  }

  /** Declares what a destination lacks, and waits until its box is gone. */
  void declare(Locator box, String why) {
    click(box, "Declare");
    write("Why", why);
    click("Declare");
    see("EXISTS");
    go("Overview");
    see("What is wrong now");
    seeGone(box);
  }

  /** Clicks at a link or a button of a place. */
  void click(Locator place, String name) {
    Locator link =
        place.getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(name)).first();
    Locator button =
        place.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name)).first();
    click(link.or(button).first());
  }

  /** Clicks at a link or a button of the content. */
  void click(String name) {
    click(page.locator("main"), name);
  }

  void click(Locator what) {
    what.click();
    clicks++;
  }

  /** Goes to a page by the navigation. */
  void go(String name) {
    click(page.locator("nav"), name);
  }

  /** Writes into a field, which takes no click of the mouse. */
  void write(String label, String text) {
    page.getByLabel(label).fill(text);
  }

  /** Copies a command of a box; returns what is in the clipboard then. */
  String copy(Locator box) {
    click(box, "Copy");
    return String.valueOf(page.evaluate("navigator.clipboard.readText()"));
  }

  void picture(Path file) {
    page.screenshot(new Page.ScreenshotOptions().setPath(file));
  }

  /** With what lies below the window's edge. */
  void wholePicture(Path file) {
    page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
  }

  @Override
  public void close() {
    context.close();
  }
}
