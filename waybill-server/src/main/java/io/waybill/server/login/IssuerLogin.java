package io.waybill.server.login;

import io.waybill.server.access.TokenLogin;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientProperties;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.web.client.RestClient;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Logins at an OpenID Connect issuer by an authorization code. The access token says who the user
 * is, and with which roles, by the rules for tokens that programs send.
 */
public final class IssuerLogin {
  /** As many requests lead to the issuer or come back from it at a time; others get 503. */
  public static final int AT_A_TIME = 2;

  private static final Logger LOG = LoggerFactory.getLogger(IssuerLogin.class);
  private static final String BEGINS =
      OAuth2AuthorizationRequestRedirectFilter.DEFAULT_AUTHORIZATION_REQUEST_BASE_URI;
  private static final String RETURNS = "/login/oauth2/code/";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final IssuerClients clients;
  private final TokenLogin tokens;
  private final JwtDecoderFactory<ClientRegistration> idTokens;

  /**
   * Logins by the keys of Spring Boot.
   *
   * @param properties one registration, with a secret
   * @param tokens judges access tokens
   * @param idTokens judges what the issuer says of the login itself
   */
  public IssuerLogin(
      OAuth2ClientProperties properties,
      TokenLogin tokens,
      JwtDecoderFactory<ClientRegistration> idTokens) {
    this.clients = new IssuerClients(properties);
    this.tokens = tokens;
    this.idTokens = idTokens;
  }

  /** What a page calls the issuer. */
  String name() {
    return clients.name();
  }

  /** Where a login begins, as seen from the page of logins. */
  String address() {
    return BEGINS.substring(1) + "/" + clients.id();
  }

  /** What instances share and nobody else knows. */
  String secret() {
    return clients.secret();
  }

  /**
   * Checks the code that the issuer gave, and what it is exchanged for.
   *
   * @return for the manager of all logins
   */
  public AuthenticationProvider provider() {
    SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
    requests.setConnectTimeout(TIMEOUT);
    requests.setReadTimeout(TIMEOUT);
    RestClientAuthorizationCodeTokenResponseClient exchange =
        new RestClientAuthorizationCodeTokenResponseClient();
    exchange.setRestClient(
        RestClient.builder()
            .requestFactory(requests)
            .configureMessageConverters(
                converters ->
                    converters
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
            .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
            .build());
    OidcAuthorizationCodeAuthenticationProvider provider =
        new OidcAuthorizationCodeAuthenticationProvider(exchange, this::user);
    provider.setJwtDecoderFactory(idTokens);
    return provider;
  }

  private OidcUser user(OidcUserRequest login) {
    try {
      AbstractAuthenticationToken user = tokens.user(login.getAccessToken().getTokenValue());
      return new IssuedUser(user.getAuthorities(), login.getIdToken(), user.getName());
    } catch (JwtException e) {
      throw new OAuth2AuthenticationException(
          new OAuth2Error("invalid_token"), "the access token is not for this API", e);
    }
  }

  /** With the name that tokens have. */
  private static final class IssuedUser extends DefaultOidcUser {
    private static final long serialVersionUID = 1L;

    private final String name;

    IssuedUser(Collection<? extends GrantedAuthority> authorities, OidcIdToken token, String name) {
      super(authorities, token);
      this.name = name;
    }

    @Override
    public String getName() {
      return name;
    }
  }

  /** Adds the way to the issuer and back. */
  void add(
      HttpSecurity http, AuthenticationSuccessHandler begins, AuthenticationFailureHandler fails) {
    DefaultOAuth2AuthorizationRequestResolver requests =
        new DefaultOAuth2AuthorizationRequestResolver(clients, BEGINS);
    requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
    http.addFilterBefore(new Room(), CsrfFilter.class)
        .oauth2Login(
            login ->
                login
                    .loginPage(LoginPage.PATH)
                    .clientRegistrationRepository(clients)
                    .authorizedClientRepository(new Forgetting())
                    .authorizationEndpoint(
                        begin ->
                            begin
                                .authorizationRequestResolver(requests)
                                .authorizationRequestRepository(new IssuerStart(clients)))
                    .successHandler(begins)
                    .failureHandler(fails));
  }

  /** The tokens have said who it is, and are not needed again. */
  private static final class Forgetting implements OAuth2AuthorizedClientRepository {
    @Override
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // of its interface
    public <T extends OAuth2AuthorizedClient> T loadAuthorizedClient(
        String client, Authentication user, HttpServletRequest request) {
      return null;
    }

    @Override
    public void saveAuthorizedClient(
        OAuth2AuthorizedClient client,
        Authentication user,
        HttpServletRequest request,
        HttpServletResponse response) {}

    @Override
    public void removeAuthorizedClient(
        String client,
        Authentication user,
        HttpServletRequest request,
        HttpServletResponse response) {}
  }

  /** An issuer that hangs takes two threads and no more. */
  private final class Room extends OncePerRequestFilter {
    private final Semaphore room = new Semaphore(AT_A_TIME);

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
      String path = request.getServletPath();
      return !path.startsWith(BEGINS) && !path.startsWith(RETURNS);
    }

    @Override
    protected void doFilterInternal(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws ServletException, IOException {
      if (!room.tryAcquire()) {
        ApiRequestHandler.send(response, ApiProblem.busy());
        return;
      }
      try {
        if (knowsIssuer()) {
          chain.doFilter(request, response);
        } else {
          LoginPage.failed(request, response);
        }
      } finally {
        room.release();
      }
    }

    private boolean knowsIssuer() {
      try {
        clients.findByRegistrationId(clients.id());
        return true;
      } catch (RuntimeException e) {
        LOG.warn("browsers cannot log in at the issuer: {}; it is asked again", e.getMessage());
        return false;
      }
    }
  }
}
