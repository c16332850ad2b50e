package io.waybill.server.access;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenDecoderFactory;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.converter.ClaimTypeConverter;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;

/**
 * Tokens of an OpenID Connect issuer. Spring Boot's own decoder asks the issuer for each forged
 * token again, and lets all threads wait for one that does not answer.
 */
@Configuration(proxyBeanMethods = false)
public class TokenApplication {
  /** Keys of Spring Boot. */
  public static final String KEYS = "spring.security.oauth2.resourceserver.jwt";

  private final OAuth2ResourceServerProperties.Jwt settings;

  TokenApplication(OAuth2ResourceServerProperties properties) {
    this.settings = properties.getJwt();
  }

  @Bean
  JWKSource<SecurityContext> waybillIssuerKeys() {
    return IssuerKeys.of(issuer(), settings.getJwkSetUri());
  }

  private NimbusJwtDecoder decoder(JWKSource<SecurityContext> keys) {
    return NimbusJwtDecoder.withJwkSource(keys)
        .jwsAlgorithms(
            all ->
                settings.getJwsAlgorithms().forEach(name -> all.add(SignatureAlgorithm.from(name))))
        .build();
  }

  /** For logins of browsers at the issuer. */
  @Bean
  JwtDecoderFactory<ClientRegistration> waybillIdTokens(JWKSource<SecurityContext> keys) {
    return client -> {
      NimbusJwtDecoder decoder = decoder(keys);
      decoder.setClaimSetConverter(
          new ClaimTypeConverter(OidcIdTokenDecoderFactory.createDefaultClaimTypeConverters()));
      decoder.setJwtValidator(
          JwtValidators.createDefaultWithValidators(
              List.of(new JwtIssuerValidator(issuer()), new OidcIdTokenValidator(client))));
      return decoder;
    };
  }

  @Bean
  JwtDecoder waybillTokens(JWKSource<SecurityContext> keys) {
    NimbusJwtDecoder decoder = decoder(keys);
    JwtTypeValidator types = new JwtTypeValidator("JWT", "at+jwt", "application/at+jwt");
    types.setAllowEmpty(true);
    JwtTimestampValidator times = new JwtTimestampValidator();
    times.setAllowEmptyExpiryClaim(false);
    decoder.setJwtValidator(
        JwtValidators.createDefaultWithValidators(
            List.of(types, times, new JwtIssuerValidator(issuer()), audience())));
    return decoder;
  }

  private OAuth2TokenValidator<Jwt> audience() {
    return new JwtClaimValidator<List<String>>(
        JwtClaimNames.AUD,
        named -> named != null && !Collections.disjoint(named, settings.getAudiences()));
  }

  @Bean
  TokenLogin waybillTokenLogin(JwtDecoder decoder, JwtAuthenticationConverter users) {
    return new TokenLogin(decoder, users, settings.getPrincipalClaimName());
  }

  private String issuer() {
    return Objects.requireNonNull(settings.getIssuerUri());
  }
}
