package io.waybill.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpCookie;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The demo's own page: what goes on, the buttons, and the way into the console. It listens on the
 * loopback interface alone, and its address has a secret: no other user of the machine and no form
 * of another site can press a button. Thread-safe.
 */
final class DemoPage implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int LONGEST_FORM = 1_000;
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final String root = "/" + ConsoleAccess.secret() + "/";
  private final ConsoleAccess console;
  private final Buttons buttons;
  private final Screen screen;
  private volatile @Nullable Progress progress;
  private volatile @Nullable HttpCookie login;
  private volatile long visited;
  private volatile boolean ended;
  private volatile String result = "";

  /** What is answered. */
  private record Answer(int status, String type, byte[] bytes) {
    static final Answer MISSING = new Answer(404, "text/plain", "not found".getBytes(UTF_8));

    static Answer to(HttpExchange exchange, String location) {
      exchange.getResponseHeaders().set("Location", location);
      return new Answer(303, "text/plain", new byte[0]);
    }
  }

  private DemoPage(HttpServer server, ConsoleAccess console, Buttons buttons, Screen screen) {
    this.server = server;
    this.console = console;
    this.buttons = buttons;
    this.screen = screen;
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  static DemoPage open(ConsoleAccess console, Buttons buttons, Screen screen) throws IOException {
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new DemoPage(HttpServer.create(here, 0), console, buttons, screen);
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + root;
  }

  /** Whether somebody has looked. */
  boolean wasVisited() {
    return visited != 0;
  }

  /** Whether nobody has looked for a time. */
  boolean isLeft(long nanos) {
    return System.nanoTime() - visited > nanos;
  }

  /** Whether somebody has asked for the end. */
  boolean isEnded() {
    return ended;
  }

  void show(Progress now) {
    progress = now;
  }

  /** What the page shows in the end. */
  void result(String text) {
    result = text;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Security-Policy", POLICY);
      headers.set("X-Content-Type-Options", "nosniff");
      // The address has the secret.
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("Cache-Control", "no-store");
      Answer answer = answerOf(exchange);
      headers.set("Content-Type", answer.type() + "; charset=utf-8");
      exchange.sendResponseHeaders(
          answer.status(), answer.bytes().length == 0 ? -1 : answer.bytes().length);
      exchange.getResponseBody().write(answer.bytes());
    }
  }

  private Answer answerOf(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (!path.startsWith(root)) {
      return Answer.MISSING;
    }
    return switch (exchange.getRequestMethod() + " " + path.substring(root.length())) {
      case "GET " -> page();
      case "GET page.css" -> asset("page.css", "text/css");
      case "GET page.js" -> asset("page.js", "text/javascript");
      case "GET console" -> console(exchange);
      case "POST press" -> press(exchange);
      case "POST end" -> {
        ended = true;
        yield Answer.to(exchange, root);
      }
      default -> Answer.MISSING;
    };
  }

  private Answer page() {
    visited = System.nanoTime();
    String html =
        new DemoHtml(progress, buttons.all(), screen.latest(), console, ended, result).page();
    return new Answer(200, "text/html", html.getBytes(UTF_8));
  }

  private static Answer asset(String name, String type) throws IOException {
    try (InputStream in = Objects.requireNonNull(DemoPage.class.getResourceAsStream(name))) {
      return new Answer(200, type, in.readAllBytes());
    }
  }

  /** Leads into the console, logged in: cookies are the host's, whatever the port. */
  private Answer console(HttpExchange exchange) {
    String page = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("overview");
    if (buttons.all().stream().noneMatch(button -> button.fault().page().equals(page))) {
      return Answer.MISSING;
    }
    HttpCookie known = login;
    if (known == null || !has(exchange, known)) {
      known = console.login().orElse(null);
      login = known;
    }
    if (known != null) {
      exchange
          .getResponseHeaders()
          .set(
              "Set-Cookie",
              "%s=%s; Path=/; HttpOnly; SameSite=Lax".formatted(known.getName(), known.getValue()));
    }
    return Answer.to(exchange, console.page(page));
  }

  private static boolean has(HttpExchange exchange, HttpCookie cookie) {
    String sent = exchange.getRequestHeaders().getFirst("Cookie");
    return sent != null
        && Set.of(sent.split("; ", -1)).contains(cookie.getName() + "=" + cookie.getValue());
  }

  private Answer press(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readNBytes(LONGEST_FORM), UTF_8);
    boolean mend = form.startsWith("mend=");
    Progress now = progress;
    if (now == null || now.written() == 0) {
      return Answer.to(exchange, root);
    }
    if (mend || form.startsWith("make=")) {
      // One that means something else by now is shown as it is.
      boolean unused = buttons.press(form.substring(5), mend);
    }
    return Answer.to(exchange, root);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
