package io.waybill.server.login;

import io.waybill.internal.jdbc.operator.Logins;
import io.waybill.server.access.TooManyLogins;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.InternalAuthenticationServiceException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.security.web.authentication.session.NullAuthenticatedSessionStrategy;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.HttpRequestHandler;

/** The part that logins of browsers have in the rules of Spring Security. */
public final class LoginSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(LoginSecurity.class);

  private final BrowserLogins logins;
  private final LoginPage page;
  private final boolean passwords;
  private final @Nullable IssuerLogin issuer;
  private final String first;

  /**
   * Logins of known users, and of those whom an issuer knows.
   *
   * @param store where logins are kept
   * @param users the users, with hashes of their passwords, or null for none
   * @param issuer the issuer, or null for none
   * @param console whether the console is served
   */
  public LoginSecurity(
      LoginStore store,
      @Nullable UserDetailsService users,
      @Nullable IssuerLogin issuer,
      boolean console) {
    this.logins = new BrowserLogins(store, users, issuer == null ? null : issuer.secret());
    this.page = new LoginPage(users != null, issuer, console);
    this.passwords = users != null;
    this.issuer = issuer;
    this.first = console ? LoginTarget.PAGES : LoginPage.PATH;
  }

  /**
   * Addresses of the page and what belongs to it.
   *
   * @return below the context path
   */
  public static String[] addresses() {
    return new String[] {LoginPage.PATH, LoginPage.STYLE, LoginPage.USER};
  }

  /**
   * Answers at {@link #addresses}.
   *
   * @return for Spring MVC
   */
  public HttpRequestHandler page() {
    return page;
  }

  /**
   * Says who may see the page, and that pages need a login.
   *
   * @param requests the rules
   */
  public static void allow(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
          requests) {
    requests
        .requestMatchers(LoginPage.PATH, LoginPage.STYLE)
        .permitAll()
        .requestMatchers(LoginPage.USER, LoginTarget.PAGES, LoginTarget.PAGES + "/**")
        .authenticated();
  }

  /**
   * Adds login and logout.
   *
   * @param http the rules
   * @param exempt requests that need no token against other sites unless a cookie logs them in
   */
  public void add(HttpSecurity http, RequestMatcher exempt) {
    PathPatternRequestMatcher.Builder paths = PathPatternRequestMatcher.withDefaults();
    RequestMatcher end = paths.matcher(HttpMethod.POST, LoginPage.END);
    if (passwords) {
      http.formLogin(
          form ->
              form.loginPage(LoginPage.PATH)
                  .loginProcessingUrl(LoginPage.PATH)
                  .usernameParameter("user")
                  .passwordParameter("password")
                  .successHandler(this::begin)
                  .failureHandler(this::refuse));
    }
    if (issuer != null) {
      issuer.add(http, this::issued, LoginSecurity::notIssued);
    }
    http.addFilterBefore(new LoginFilter(logins), CsrfFilter.class)
        .logout(
            logout ->
                logout
                    .logoutRequestMatcher(end)
                    .logoutSuccessHandler((request, response, user) -> end(request, response)))
        .csrf(
            csrf ->
                csrf.csrfTokenRepository(new LoginCsrf())
                    .sessionAuthenticationStrategy(new NullAuthenticatedSessionStrategy())
                    .requireCsrfProtectionMatcher(
                        request ->
                            LoginFilter.isChange(request)
                                && (LoginFilter.isLoggedIn(request)
                                    || !(exempt.matches(request) || end.matches(request)))))
        .headers(
            headers ->
                headers
                    .contentSecurityPolicy(
                        policy ->
                            policy.policyDirectives("default-src 'none'; frame-ancestors 'none'"))
                    // Others are told nothing; this site has the origin of its forms.
                    .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN)));
  }

  private void begin(HttpServletRequest request, HttpServletResponse response, Authentication user)
      throws IOException {
    try {
      logins.begin(request, response, user);
      LoginTarget.onwards(request, response, LoginTarget.of(request).orElse(first));
    } catch (Logins.MissingTableException e) {
      LOG.warn("{}; other ways to log in work", e.getMessage());
      page.show(request, response, HttpStatus.SERVICE_UNAVAILABLE, e.getMessage());
    } catch (ApiProblem e) {
      page.show(request, response, HttpStatus.SERVICE_UNAVAILABLE, e.getMessage());
    }
  }

  private void issued(
      HttpServletRequest request, HttpServletResponse response, Authentication user) {
    try {
      logins.begin(request, response, user);
      LoginTarget.onwards(request, response, IssuerStart.target(request).orElse(first));
    } catch (Logins.MissingTableException | ApiProblem e) {
      LOG.warn("{}; other ways to log in work", e.getMessage());
      LoginPage.failed(request, response);
    }
  }

  private static void notIssued(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException why) {
    // Anybody can ask for this.
    LOG.info("a login at the issuer failed: {}; the browser may try again", why.getMessage());
    LoginPage.failed(request, response);
  }

  private void end(HttpServletRequest request, HttpServletResponse response) throws IOException {
    try {
      logins.end(request, response);
      LoginTarget.redirect(response, HttpStatus.SEE_OTHER, LoginPage.ENDED);
    } catch (Logins.MissingTableException e) {
      LoginCookie.clear(request, response);
      LoginTarget.redirect(response, HttpStatus.SEE_OTHER, LoginPage.ENDED);
    } catch (ApiProblem e) {
      page.show(
          request,
          response,
          HttpStatus.SERVICE_UNAVAILABLE,
          "You have not been logged out, since the database does not answer. Try again soon.");
    }
  }

  private void refuse(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
      throws IOException {
    if (why instanceof TooManyLogins tooMany) {
      response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(tooMany.seconds()));
      page.show(
          request,
          response,
          HttpStatus.TOO_MANY_REQUESTS,
          "Too many passwords were wrong. Try again in %d seconds.".formatted(tooMany.seconds()));
    } else if (why instanceof InternalAuthenticationServiceException) {
      LOG.error("A password could not be checked", why);
      page.show(
          request,
          response,
          HttpStatus.INTERNAL_SERVER_ERROR,
          "The password could not be checked. The log of the server says why.");
    } else {
      page.show(request, response, HttpStatus.FORBIDDEN, "The user or the password is wrong.");
    }
  }

  /**
   * Refuses changes that another site may have sent.
   *
   * @return for requests by a cookie and for the form; Spring Security's own for all else
   */
  public AccessDeniedHandler denied() {
    AccessDeniedHandler others = new AccessDeniedHandlerImpl();
    return (request, response, why) -> {
      if (why instanceof CsrfException && request.getServletPath().equals(LoginPage.PATH)) {
        page.show(
            request, response, HttpStatus.FORBIDDEN, "This page was too old. Please try again.");
      } else if (why instanceof CsrfException && LoginTarget.isPage(request)) {
        page.showStale(request, response);
      } else if (why instanceof CsrfException) {
        ApiRequestHandler.send(response, ApiProblem.csrf(LoginCsrf.HEADER));
      } else {
        others.handle(request, response, why);
      }
    };
  }

  /**
   * Leads who looks at a page to the login.
   *
   * @param request without a login
   * @param response where to
   * @return whether it was a page; if not, nothing has been done
   */
  public static boolean led(HttpServletRequest request, HttpServletResponse response) {
    if (!LoginTarget.isPage(request)) {
      return false;
    }
    LoginTarget.toLogin(request, response);
    return true;
  }

  /**
   * Whether a page's script asks: its browser would ask for a password by itself if it saw a
   * challenge.
   *
   * @param request without a login
   * @return whether it comes from a script of a page
   */
  public static boolean isScript(HttpServletRequest request) {
    String mode = request.getHeader("Sec-Fetch-Mode");
    return (mode != null && !mode.equals("navigate"))
        || "XMLHttpRequest".equals(request.getHeader("X-Requested-With"));
  }
}
