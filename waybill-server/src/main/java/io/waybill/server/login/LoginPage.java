package io.waybill.server.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.json.JsonMapper;

/** The page of a login, without scripts. Its addresses are relative to its own. */
final class LoginPage implements HttpRequestHandler {
  static final String PATH = "/login";
  static final String STYLE = PATH + "/style.css";
  static final String USER = PATH + "/user";
  static final String END = "/logout";

  /** What {@link #END} leads to. */
  static final String ENDED = "login?ended";

  static final String FAILED = "failed";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'";
  private static final String WHOLE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Waybill: log in</title>
      <link rel="stylesheet" href="${up}login/style.css">
      </head>
      <body>
      <main>
      <h1>Waybill</h1>
      ${content}</main>
      </body>
      </html>
      """;
  private static final String FORM =
      """
      <form method="post" action="login">
      <input type="hidden" name="_csrf" value="${csrf}">
      <input type="hidden" name="to" value="${to}">
      <label for="user">User</label>
      <input id="user" name="user" autocomplete="username" autocapitalize="none" maxlength="100"
        required autofocus>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      <button>Log in</button>
      </form>
      """;
  private static final String CONSOLE =
      """
      <p><a href="console">To the console</a></p>
      """;
  // To the address of the form itself, which shows its page.
  private static final String STALE =
      """
      <p role="alert">This page was too old, or is of another login. Nothing was changed.</p>
      <p><a href="">Load the page again</a></p>
      """;
  private static final String LOGGED_IN =
      """
      <p>You are logged in as ${user}.</p>
      ${console}
      <form method="post" action="logout">
      <input type="hidden" name="_csrf" value="${csrf}">
      <button>Log out</button>
      </form>
      """;
  private static final String LOOKS =
      """
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
      main { margin: 10vh auto; max-width: 20rem; padding: 0 1rem; }
      h1 { font-size: 1.5rem; }
      label, input, button { display: block; box-sizing: border-box; width: 100%; font: inherit; }
      label { margin-top: 1rem; }
      input, button { padding: 0.5rem; }
      button { margin-top: 1.5rem; cursor: pointer; }
      [role="alert"] { border-left: 0.25rem solid #b3261e; padding-left: 0.75rem; }
      """;

  private static final String ISSUER =
      """
      <p><a href="${address}?to=${to}">Log in with ${name}</a></p>
      """;

  private final boolean passwords;
  private final @Nullable IssuerLogin issuer;
  private final boolean console;

  /**
   * A page of logins.
   *
   * @param passwords whether there are users with passwords
   * @param issuer where else to log in, or null
   * @param console whether there are pages to go to
   */
  LoginPage(boolean passwords, @Nullable IssuerLogin issuer, boolean console) {
    this.passwords = passwords;
    this.issuer = issuer;
    this.console = console;
  }

  /** The ways to log in. */
  private String ways(String target) {
    IssuerLogin other = issuer;
    String link =
        other == null
            ? ""
            : ISSUER
                .replace("${address}", escaped(other.address()))
                .replace("${to}", escaped(URLEncoder.encode(target, UTF_8)))
                .replace("${name}", escaped(other.name()));
    return link + (passwords ? FORM : "");
  }

  /** Leads to the page of an application, which says that a login failed. */
  static void failed(HttpServletRequest request, HttpServletResponse response) {
    LoginTarget.redirect(
        response, HttpStatus.SEE_OTHER, LoginTarget.up(request) + "login?" + FAILED);
  }

  /** Shows it, with a sentence before the form. */
  void show(
      HttpServletRequest request,
      HttpServletResponse response,
      HttpStatus status,
      @Nullable String sentence)
      throws IOException {
    boolean known = LoginFilter.isLoggedIn(request);
    String target = LoginTarget.of(request).orElse("");
    String content =
        (known ? LOGGED_IN.replace("${console}\n", console ? CONSOLE : "") : ways(target))
            .replace("${csrf}", csrf(request).getToken())
            .replace("${user}", known ? escaped(request.getRemoteUser()) : "")
            .replace("${to}", escaped(target));
    String alert =
        sentence == null ? "" : "<p role=\"alert\">%s</p>\n".formatted(escaped(sentence));
    page(request, response, status, alert + content);
  }

  /** Instead of what a form of a page asks for, which may be that of another login. */
  void showStale(HttpServletRequest request, HttpServletResponse response) throws IOException {
    page(request, response, HttpStatus.FORBIDDEN, STALE);
  }

  private static void page(
      HttpServletRequest request, HttpServletResponse response, HttpStatus status, String content)
      throws IOException {
    response.setHeader("Content-Security-Policy", POLICY);
    send(
        response,
        status,
        "text/html",
        WHOLE.replace("${up}", LoginTarget.up(request)).replace("${content}", content));
  }

  private static String escaped(@Nullable String text) {
    return HtmlUtils.htmlEscape(String.valueOf(text), UTF_8.name());
  }

  private static CsrfToken csrf(HttpServletRequest request) {
    return (CsrfToken) Objects.requireNonNull(request.getAttribute(CsrfToken.class.getName()));
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!Set.of("GET", "HEAD").contains(request.getMethod())) {
      response.setHeader(HttpHeaders.ALLOW, "GET, HEAD");
      response.setStatus(HttpStatus.METHOD_NOT_ALLOWED.value());
      return;
    }
    switch (request.getServletPath()) {
      case STYLE -> {
        // The same for everybody, and as old as the program.
        response.setHeader(HttpHeaders.CACHE_CONTROL, "max-age=3600");
        send(response, HttpStatus.OK, "text/css", LOOKS);
      }
      case USER -> user(request, response);
      default -> show(request, response, HttpStatus.OK, sentence(request));
    }
  }

  private static @Nullable String sentence(HttpServletRequest request) {
    if (request.getParameter(FAILED) != null) {
      return "You could not be logged in. The log of the server says why.";
    }
    return request.getParameter("ended") == null ? null : "You have logged out.";
  }

  /** Who has logged in, and what changes need, for pages. */
  private static void user(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!(request.getUserPrincipal() instanceof Authentication user)) {
      ApiRequestHandler.send(response, ApiProblem.unauthorized());
      return;
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("user", user.getName());
    List<String> roles =
        user.getAuthorities().stream().map(GrantedAuthority::getAuthority).sorted().toList();
    answer.put("roles", roles);
    if (LoginFilter.isLoggedIn(request)) {
      answer.put("csrfHeader", LoginCsrf.HEADER);
      answer.put("csrfToken", csrf(request).getToken());
    }
    send(response, HttpStatus.OK, "application/json", JSON.writeValueAsString(answer));
  }

  private static void send(
      HttpServletResponse response, HttpStatus status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    response.setStatus(status.value());
    response.setContentType(type);
    response.setCharacterEncoding(UTF_8.name());
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
