package io.waybill.server.login;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.DefaultCsrfToken;

/**
 * Tokens against changes that other sites send: a code of the cookie, so nothing is stored, and a
 * new login has a new one. The form of a login has a cookie without a login.
 */
final class LoginCsrf implements CsrfTokenRepository {
  static final String HEADER = "X-CSRF-TOKEN";

  private static final String PARAMETER = "_csrf";
  private static final String FRESH = LoginCsrf.class.getName();

  @Override
  public CsrfToken generateToken(HttpServletRequest request) {
    LoginToken fresh = LoginToken.random();
    request.setAttribute(FRESH, fresh);
    return token(fresh);
  }

  @Override
  public void saveToken(
      @Nullable CsrfToken token, HttpServletRequest request, HttpServletResponse response) {
    // Nothing is to be forgotten without one: it ends with the cookie.
    if (token != null && request.getAttribute(FRESH) instanceof LoginToken fresh) {
      LoginCookie.set(request, response, fresh);
    }
  }

  @Override
  public @Nullable CsrfToken loadToken(HttpServletRequest request) {
    Optional<LoginToken> known = LoginCookie.of(request);
    return known.map(LoginCsrf::token).orElse(null);
  }

  private static CsrfToken token(LoginToken login) {
    return new DefaultCsrfToken(HEADER, PARAMETER, login.code("csrf"));
  }
}
