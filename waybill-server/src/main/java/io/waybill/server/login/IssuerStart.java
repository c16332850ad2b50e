package io.waybill.server.login;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a login at the issuer began with, in a cookie for ten minutes: any instance takes the
 * browser back. Who plants such a cookie can at most log a browser in as himself, as with any form.
 */
final class IssuerStart implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {
  private static final String NAME = "waybill-start";
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> ATTRIBUTES =
      List.of(
          OAuth2ParameterNames.REGISTRATION_ID,
          OidcParameterNames.NONCE,
          PkceParameterNames.CODE_VERIFIER);
  private static final String REDIRECT = OAuth2ParameterNames.REDIRECT_URI;

  private final IssuerClients clients;

  IssuerStart(IssuerClients clients) {
    this.clients = clients;
  }

  @Override
  public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
    return read(request).flatMap(this::begun).orElse(null);
  }

  private static Optional<Map<String, String>> read(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    return Stream.of(cookies == null ? new Cookie[0] : cookies)
        .filter(cookie -> cookie.getName().equals(name(request)))
        .map(Cookie::getValue)
        .findFirst()
        .flatMap(IssuerStart::decoded);
  }

  private static Optional<Map<String, String>> decoded(String value) {
    try {
      return Optional.of(
          JSON.readValue(Base64.getUrlDecoder().decode(value), new TypeReference<>() {}));
    } catch (JacksonException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Optional<OAuth2AuthorizationRequest> begun(Map<String, String> kept) {
    ClientRegistration client =
        clients.findByRegistrationId(kept.getOrDefault(OAuth2ParameterNames.REGISTRATION_ID, ""));
    if (client == null || kept.values().stream().anyMatch(Objects::isNull)) {
      return Optional.empty();
    }
    return Optional.of(
        OAuth2AuthorizationRequest.authorizationCode()
            .authorizationUri(
                Objects.requireNonNull(client.getProviderDetails().getAuthorizationUri()))
            .clientId(client.getClientId())
            .scopes(client.getScopes())
            .redirectUri(kept.get(REDIRECT))
            .state(kept.get(OAuth2ParameterNames.STATE))
            .attributes(all -> ATTRIBUTES.forEach(name -> all.put(name, kept.get(name))))
            .build());
  }

  @Override
  public void saveAuthorizationRequest(
      @Nullable OAuth2AuthorizationRequest begun,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (begun == null) {
      removeAuthorizationRequest(request, response);
      return;
    }
    Map<String, String> kept = new LinkedHashMap<>();
    ATTRIBUTES.forEach(name -> kept.put(name, begun.<String>getAttribute(name)));
    kept.put(OAuth2ParameterNames.STATE, begun.getState());
    kept.put(REDIRECT, begun.getRedirectUri());
    kept.put(LoginTarget.PARAMETER, LoginTarget.of(request).orElse(""));
    String value =
        Base64.getUrlEncoder().withoutPadding().encodeToString(JSON.writeValueAsBytes(kept));
    add(request, response, value, LONGEST);
  }

  @Override
  public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
      HttpServletRequest request, HttpServletResponse response) {
    OAuth2AuthorizationRequest begun = loadAuthorizationRequest(request);
    if (begun != null) {
      add(request, response, "", Duration.ZERO);
    }
    return begun;
  }

  /** The page that the login is for. */
  static Optional<String> target(HttpServletRequest request) {
    return read(request).map(kept -> kept.get(LoginTarget.PARAMETER)).flatMap(LoginTarget::valid);
  }

  private static void add(
      HttpServletRequest request, HttpServletResponse response, String value, Duration age) {
    // The issuer's page is another site, which leads back by an address of this one.
    response.addHeader(
        HttpHeaders.SET_COOKIE,
        ResponseCookie.from(name(request), value)
            .path("/")
            .secure(request.isSecure())
            .httpOnly(true)
            .sameSite("Lax")
            .maxAge(age)
            .build()
            .toString());
  }

  private static String name(HttpServletRequest request) {
    return (request.isSecure() ? "__Host-" : "") + NAME;
  }
}
