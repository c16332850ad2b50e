package io.waybill.server.login;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** The cookie of a login. It lasts as long as its browser, and no script reads it. */
final class LoginCookie {
  private static final String NAME = "waybill-login";
  private static final String OF_HOST = "__Host-";

  private LoginCookie() {}

  /** What the request has; nothing if it has none, or several. */
  static Optional<LoginToken> of(HttpServletRequest request) {
    String name = name(request);
    Cookie[] cookies = request.getCookies();
    return Stream.of(cookies == null ? new Cookie[0] : cookies)
        .filter(cookie -> cookie.getName().equals(name))
        .map(Cookie::getValue)
        .reduce((one, other) -> "")
        .flatMap(LoginToken::of);
  }

  static void set(HttpServletRequest request, HttpServletResponse response, LoginToken token) {
    add(response, cookie(request, token.value()).build());
  }

  static void clear(HttpServletRequest request, HttpServletResponse response) {
    add(response, cookie(request, "").maxAge(Duration.ZERO).build());
  }

  private static void add(HttpServletResponse response, ResponseCookie cookie) {
    response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
  }

  private static ResponseCookie.ResponseCookieBuilder cookie(
      HttpServletRequest request, String value) {
    String name = name(request);
    // Lax: a link of another site leads a logged-in user to where it says. Without a path, the
    // browser takes that of the login's address, also where a proxy has taken a part of it away.
    ResponseCookie.ResponseCookieBuilder cookie =
        ResponseCookie.from(name, value).secure(request.isSecure()).httpOnly(true).sameSite("Lax");
    return name.startsWith(OF_HOST) ? cookie.path("/") : cookie;
  }

  /** Browsers take these prefixes from nobody but the site itself, by TLS. */
  private static String name(HttpServletRequest request) {
    if (!request.isSecure()) {
      return NAME;
    }
    boolean below =
        !request.getContextPath().isEmpty() || request.getHeader("X-Forwarded-Prefix") != null;
    return (below ? "__Secure-" : OF_HOST) + NAME;
  }
}
