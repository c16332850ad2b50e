package io.waybill.console.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.waybill.console.internal.layout.Curl;
import io.waybill.console.internal.layout.Frame;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.ApiCaller;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import io.waybill.spring.internal.api.OutboxApi;
import io.waybill.spring.internal.api.Role;
import io.waybill.spring.properties.WaybillProperties;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.UriUtils;

/** The way to the pages through Spring MVC, whose security says who asks. Thread-safe. */
public final class ConsoleRequestHandler implements HttpRequestHandler {
  /** What it takes, below the application's context path. */
  public static final List<String> ADDRESSES = List.of("/console", "/console/**");

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleRequestHandler.class);
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  private static final Map<String, Page> PAGES =
      Pages.ALL.stream().collect(Collectors.toMap(Page::path, Function.identity()));

  /** Paths of all pages that there are to look at, below that of an outbox. */
  public static final Set<String> PATHS =
      Pages.ALL.stream()
          .filter(Page::isSeen)
          .map(Page::path)
          .collect(Collectors.toUnmodifiableSet());

  private static final String FIRST = Frame.ENTRIES.get(0).path();
  private static final String THEME = "waybill-theme";
  private static final Set<String> THEMES = Set.of("dark", "light");
  private static final Map<String, String> ASSETS = Assets.addresses();

  private final OutboxApi api;
  private final Streams streams;
  private final WaybillProperties properties;
  private final TemplateEngine templates =
      TemplateEngine.createPrecompiled(
          null,
          ContentType.Html,
          ConsoleRequestHandler.class.getClassLoader(),
          "io.waybill.console.internal.template");

  /** What a request is about. */
  private record Request(
      HttpServletRequest http,
      ApiCaller caller,
      String outbox,
      String path,
      String root,
      Visit visit) {
    Request(HttpServletRequest http, ApiCaller caller, String outbox, String path, String root) {
      this(http, caller, outbox, path, root, new Visit(caller, outbox, http.getParameterMap()));
    }
  }

  /**
   * Leads to the pages.
   *
   * @param api what answers them
   * @param properties keys of the application
   */
  public ConsoleRequestHandler(OutboxApi api, WaybillProperties properties) {
    this.api = api;
    this.streams = new Streams(api);
    this.properties = properties;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Cache-Control", "no-store");
    PathContainer whole = ServletRequestPathUtils.parse(request).pathWithinApplication();
    List<String> path = segments(whole);
    String root = up(whole);
    ApiCaller caller =
        new ApiCaller(api, String.valueOf(request.getRemoteUser()), request::isUserInRole);
    if (!Set.of("GET", "HEAD", "POST").contains(request.getMethod())) {
      response.setHeader("Allow", "GET, HEAD, POST");
      response.setStatus(405);
    } else if (path.size() == 2 && path.get(0).equals("assets")) {
      asset(response, Assets.of(path.get(1)));
    } else if (path.size() == 3 && path.get(0).equals("outboxes")) {
      answer(new Request(request, caller, path.get(1), path.get(2), root), response);
    } else if (path.size() == 2 && path.get(0).equals("outboxes")) {
      redirect(response, root + first(path.get(1)));
    } else if (path.stream().allMatch(String::isEmpty)) {
      begin(new Request(request, caller, "", "", root), response);
    } else {
      problem(new Request(request, caller, "", "", root), response, 404, "There is no such page");
    }
  }

  /** Decoded, below the console. */
  private static List<String> segments(PathContainer path) {
    return path.elements().stream()
        .filter(PathContainer.PathSegment.class::isInstance)
        .map(each -> ((PathContainer.PathSegment) each).valueToMatch())
        .skip(1)
        .toList();
  }

  /** From a page to the application, whose address a proxy may have changed. */
  private static String up(PathContainer path) {
    long depth = path.elements().stream().filter(PathContainer.Separator.class::isInstance).count();
    return "../".repeat((int) depth - 1);
  }

  private static String first(String outbox) {
    return "console/outboxes/" + UriUtils.encodePathSegment(outbox, UTF_8) + "/" + FIRST;
  }

  private static void asset(HttpServletResponse response, Assets.@Nullable Asset asset)
      throws IOException {
    if (asset == null) {
      response.setStatus(404);
      return;
    }
    // Another content has another address.
    response.setHeader("Cache-Control", "private, max-age=31536000, immutable");
    send(response, 200, asset.type(), asset.bytes());
  }

  private static void redirect(HttpServletResponse response, String where) {
    response.setStatus(303);
    response.setHeader("Location", where);
  }

  /** Leads to the first outbox that the caller may look at. */
  private void begin(Request request, HttpServletResponse response) throws IOException {
    List<String> outboxes = request.caller().outboxes();
    if (outboxes.isEmpty()) {
      problem(
          request,
          response,
          403,
          "You may look at no outbox. This needs the role WAYBILL_VIEWER, or that of one outbox");
    } else {
      redirect(response, request.root() + first(outboxes.get(0)));
    }
  }

  private void answer(Request request, HttpServletResponse response) throws IOException {
    Page page = PAGES.get(request.path());
    if (page == null) {
      problem(request, response, 404, "There is no page '%s'".formatted(request.path()));
      return;
    }
    try {
      if (request.http().getMethod().equals("POST")) {
        submit(page, request, response);
      } else if (page.isStreamed() && request.visit().text("part").equals("stream")) {
        stream(page, request, response);
      } else {
        answer(page.show(request.visit()), request, response, 200, null);
      }
    } catch (ApiProblem refused) {
      problem(request, response, refused.status(), String.valueOf(refused.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("The console could not show {}", request.http().getRequestURI(), e);
      problem(request, response, 500, "The log of the server has the details");
    }
  }

  private void stream(Page page, Request request, HttpServletResponse response) throws IOException {
    Visit visit = request.visit();
    // Who may not look, and what is not there, is refused as by any other question.
    visit.ask("", Answers.Status.class);
    Set<Role> roles =
        Arrays.stream(Role.values()).filter(visit::may).collect(Collectors.toUnmodifiableSet());
    Frame frame = frame(page.path(), request, null, roles::contains);
    streams
        .of(page, request.outbox())
        .listen(Streams.news(view -> render(view, frame)), request.http(), response);
  }

  /** Leads on, so that the address can be shared and loaded again; or says why not. */
  private void submit(Page page, Request request, HttpServletResponse response) throws IOException {
    try {
      Reply reply = page.submit(request.visit());
      if (reply == null) {
        response.setHeader("Allow", "GET, HEAD");
        problem(request, response, 405, "This page has no form");
      } else {
        answer(reply, request, response, 200, null);
      }
    } catch (ApiProblem refused) {
      answer(
          page.show(request.visit()),
          request,
          response,
          refused.status(),
          String.valueOf(refused.getMessage()));
    }
  }

  private void answer(
      Reply reply,
      Request request,
      HttpServletResponse response,
      int status,
      @Nullable String problem)
      throws IOException {
    if (reply instanceof View view) {
      show(view, request, response, status, problem);
    } else if (reply instanceof Reply.Next next) {
      redirect(response, next.link());
    } else if (reply instanceof Reply.Lines lines) {
      lines(lines, response);
    }
  }

  private static void lines(Reply.Lines lines, HttpServletResponse response) throws IOException {
    response.setContentType("application/x-ndjson");
    response.setCharacterEncoding(UTF_8.name());
    response.setHeader(
        "Content-Disposition", "attachment; filename=\"%s\"".formatted(lines.file()));
    OutputStream output = response.getOutputStream();
    Iterator<?> each = lines.each();
    while (each.hasNext()) {
      output.write(ApiRequestHandler.json(each.next()));
      output.write('\n');
    }
  }

  private void problem(Request request, HttpServletResponse response, int status, String why)
      throws IOException {
    show(new View("layout/problem.jte", "Problem", status), request, response, status, why);
  }

  private void show(
      View view,
      Request request,
      HttpServletResponse response,
      int status,
      @Nullable String problem)
      throws IOException {
    Frame frame =
        frame(view.title(), request, problem, role -> request.caller().may(role, request.outbox()));
    send(response, status, "text/html", render(view, frame).getBytes(UTF_8));
  }

  private String render(View view, Frame frame) {
    StringOutput output = new StringOutput();
    templates.render(view.template(), Map.of("frame", frame, "page", view.page()), output);
    return output.toString();
  }

  private Frame frame(
      String title, Request request, @Nullable String problem, Predicate<Role> may) {
    return new Frame(
        title,
        request.path(),
        request.root(),
        request.outbox(),
        request.caller().outboxes(),
        String.valueOf(request.http().getRemoteUser()),
        csrf(request.http()),
        theme(request.http()),
        ASSETS,
        problem,
        may,
        requests(request),
        properties.console().traceUrl());
  }

  private List<String> requests(Request request) {
    return properties.api().enabled()
        ? request.visit().asked().stream()
            .map(question -> Curl.of(request.outbox(), question))
            .distinct()
            .toList()
        : List.of();
  }

  private static Frame.@Nullable Csrf csrf(HttpServletRequest request) {
    return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
        ? new Frame.Csrf(token.getParameterName(), token.getToken())
        : null;
  }

  private static String theme(HttpServletRequest request) {
    return Stream.ofNullable(request.getCookies())
        .flatMap(Arrays::stream)
        .filter(cookie -> cookie.getName().equals(THEME))
        .map(Cookie::getValue)
        .filter(THEMES::contains)
        .findFirst()
        .orElse("");
  }

  private static void send(HttpServletResponse response, int status, String type, byte[] bytes)
      throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setCharacterEncoding(UTF_8.name());
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
