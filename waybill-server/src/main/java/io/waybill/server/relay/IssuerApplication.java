package io.waybill.server.relay;

import io.waybill.server.access.TokenLogin;
import io.waybill.server.login.IssuerLogin;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;

/**
 * Logins of browsers at an issuer. Spring Boot's own parts ask the issuer at the start, and wait
 * for one that does not answer.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OAuth2ClientProperties.class)
class IssuerApplication {
  @Bean
  IssuerLogin waybillIssuer(
      OAuth2ClientProperties properties,
      TokenLogin tokens,
      JwtDecoderFactory<ClientRegistration> idTokens) {
    return new IssuerLogin(properties, tokens, idTokens);
  }
}
