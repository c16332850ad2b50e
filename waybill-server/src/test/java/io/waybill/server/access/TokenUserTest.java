package io.waybill.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;

/** By which name the user of a token is known. */
class TokenUserTest {
  private static String name(@Nullable String claim, Map<String, Object> claims) {
    TokenLogin login =
        new TokenLogin(
            token -> {
              throw new BadJwtException("no token is read here");
            },
            new JwtAuthenticationConverter(),
            claim);
    Jwt token =
        Jwt.withTokenValue("x")
            .header("alg", "RS256")
            .claim("iss", "https://issuer.example.com")
            .claims(all -> all.putAll(claims))
            .build();
    return login.user(token).getName();
  }

  @Test
  void theNameOfTheLoginComesFirst() {
    assertThat(name(null, Map.of("preferred_username", "alice", "sub", "4711"))).isEqualTo("alice");
    assertThat(name(null, Map.of("sub", "4711"))).isEqualTo("4711");
    assertThat(name(null, Map.of("preferred_username", " ", "sub", "4711"))).isEqualTo("4711");
  }

  @Test
  void aClaimOfTheConfigurationTakesItsPlace() {
    assertThat(name("email", Map.of("email", "a@example.com", "preferred_username", "alice")))
        .isEqualTo("a@example.com");
  }

  @Test
  void aTokenOfNobodyIsRefused() {
    assertThatThrownBy(() -> name(null, Map.of())).isInstanceOf(InvalidBearerTokenException.class);
    assertThatThrownBy(() -> name("email", Map.of("sub", "4711")))
        .isInstanceOf(InvalidBearerTokenException.class);
  }
}
