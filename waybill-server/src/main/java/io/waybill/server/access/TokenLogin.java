package io.waybill.server.access;

import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidationException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;

/** Logins by access tokens of an OpenID Connect issuer. Answers say nothing that a token has. */
public final class TokenLogin {
  /** Value of {@code WWW-Authenticate} for a request without a login. */
  public static final String CHALLENGE = "Bearer realm=\"Waybill\"";

  private static final List<String> NAMES = List.of("preferred_username", JwtClaimNames.SUB);

  private final JwtDecoder decoder;
  private final JwtAuthenticationConverter users;

  TokenLogin(JwtDecoder decoder, JwtAuthenticationConverter users, @Nullable String nameClaim) {
    this.decoder = decoder;
    this.users = users;
    List<String> names = nameClaim == null ? NAMES : List.of(nameClaim);
    users.setJwtPrincipalConverter(token -> principal(token, names));
  }

  private static OAuth2AuthenticatedPrincipal principal(Jwt token, List<String> claims) {
    // Without its other claims: the principal may be logged.
    String name =
        claims.stream()
            .flatMap(each -> Stream.ofNullable(token.getClaimAsString(each)))
            .filter(text -> !text.isBlank())
            .findFirst()
            .orElseThrow(() -> new InvalidBearerTokenException("must name its user"));
    return new DefaultOAuth2AuthenticatedPrincipal(name, Map.of(claims.get(0), name), List.of());
  }

  /**
   * Logs in who shows a token.
   *
   * @return a filter that comes before those of other logins
   */
  public Filter filter() {
    JwtAuthenticationProvider provider = new JwtAuthenticationProvider(decoder);
    provider.setJwtAuthenticationConverter(this::user);
    BearerTokenAuthenticationFilter filter =
        new BearerTokenAuthenticationFilter(new ProviderManager(provider));
    filter.setAuthenticationEntryPoint(TokenLogin::refuse);
    filter.setAuthenticationFailureHandler(TokenLogin::refuse);
    return filter;
  }

  /**
   * The user of a token, by the same rules as at each request.
   *
   * @param token as the issuer gave it
   * @return name and roles
   * @throws AuthenticationException if it is not taken
   * @throws JwtException if its signature, its times or its audience are wrong
   */
  public AbstractAuthenticationToken user(String token) {
    return user(decoder.decode(token));
  }

  AbstractAuthenticationToken user(Jwt token) {
    try {
      return Objects.requireNonNull(users.convert(token));
    } catch (ClassCastException e) {
      throw new InvalidBearerTokenException("must have texts as roles", e);
    }
  }

  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
      throws IOException {
    if (why instanceof AuthenticationServiceException) {
      response.setHeader("Retry-After", Long.toString(IssuerKeys.BETWEEN_QUESTIONS.toSeconds()));
      ApiRequestHandler.send(response, ApiProblem.issuerAway());
      return;
    }
    String reason = reason(why);
    response.setHeader(
        "WWW-Authenticate",
        CHALLENGE + ", error=\"invalid_token\", error_description=\"%s\"".formatted(reason));
    ApiRequestHandler.send(response, ApiProblem.unauthorized("The token is refused: " + reason));
  }

  /** Claims are spoken of only after the signature has been found right. */
  private static String reason(AuthenticationException why) {
    if (why.getCause() instanceof JwtValidationException invalid) {
      return invalid.getErrors().stream()
          .map(OAuth2Error::getDescription)
          .map(String::valueOf)
          .collect(Collectors.joining("; "));
    }
    return why instanceof InvalidBearerTokenException && why.getCause() == null
        ? "it " + why.getMessage()
        : "its form or its signature is wrong";
  }
}
