package io.waybill.server.login;

import io.waybill.internal.jdbc.operator.Logins;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Knows who has logged in by the cookie. A request that brings another login has that one alone: no
 * cookie then counts, and no token against other sites is needed.
 */
final class LoginFilter extends OncePerRequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(LoginFilter.class);
  private static final String FOUND = LoginFilter.class.getName() + ".found";
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final Set<String> SAME_SITE = Set.of("same-origin", "none");
  private static final Set<String> FOR_EVERYBODY = Set.of("/livez", "/readyz", LoginPage.STYLE);

  private final BrowserLogins logins;
  private final SecurityContextRepository contexts =
      new RequestAttributeSecurityContextRepository();

  LoginFilter(BrowserLogins logins) {
    this.logins = logins;
  }

  /** Whether the cookie of the request is that of a login. */
  static boolean isLoggedIn(HttpServletRequest request) {
    return request.getAttribute(FOUND) != null;
  }

  static boolean isChange(HttpServletRequest request) {
    return !SAFE.contains(request.getMethod());
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return FOR_EVERYBODY.contains(request.getServletPath());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Optional<LoginToken> token =
        request.getHeader(HttpHeaders.AUTHORIZATION) == null
            ? LoginCookie.of(request)
            : Optional.empty();
    if (token.isPresent()) {
      try {
        find(token.get(), request, response);
      } catch (ApiProblem problem) {
        ApiRequestHandler.send(response, problem);
        return;
      }
    }
    chain.doFilter(request, response);
  }

  private void find(LoginToken token, HttpServletRequest request, HttpServletResponse response) {
    try {
      // Who only listens, and comes back by itself, does not use it.
      boolean used =
          !MediaType.TEXT_EVENT_STREAM_VALUE.equals(request.getHeader(HttpHeaders.ACCEPT));
      Authentication user = logins.find(token, used).orElse(null);
      if (user == null) {
        return;
      }
      String site = request.getHeader("Sec-Fetch-Site");
      if (isChange(request) && site != null && !SAME_SITE.contains(site)) {
        throw ApiProblem.site(site);
      }
      request.setAttribute(FOUND, user);
      SecurityContext context = SecurityContextHolder.createEmptyContext();
      context.setAuthentication(user);
      SecurityContextHolder.setContext(context);
      contexts.saveContext(context, request, response);
    } catch (Logins.MissingTableException e) {
      // The login page says so.
      LOG.debug("{}", e.getMessage());
    } catch (ApiProblem problem) {
      // The page is there in any case, and says what is wrong.
      if (!request.getServletPath().equals(LoginPage.PATH)) {
        throw problem;
      }
    }
  }
}
