package io.waybill.server.login;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientProperties;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientPropertiesMapper;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

/**
 * This process as a client of the issuer, by Spring Boot's keys. The issuer is first asked when
 * somebody logs in: a process starts without it. Thread-safe.
 */
final class IssuerClients implements ClientRegistrationRepository {
  private final OAuth2ClientProperties properties;
  private volatile @Nullable Map<String, ClientRegistration> known;

  IssuerClients(OAuth2ClientProperties properties) {
    this.properties = properties;
  }

  /** The one that there is. */
  String id() {
    return properties.getRegistration().keySet().iterator().next();
  }

  /** What the page calls it. */
  String name() {
    String name = registration().getClientName();
    return name == null ? "single sign-on" : name;
  }

  String secret() {
    return Objects.requireNonNull(registration().getClientSecret());
  }

  private OAuth2ClientProperties.Registration registration() {
    return Objects.requireNonNull(properties.getRegistration().get(id()));
  }

  @Override
  public @Nullable ClientRegistration findByRegistrationId(String id) {
    if (!id.equals(id())) {
      return null;
    }
    Map<String, ClientRegistration> all = known;
    if (all == null) {
      // No lock: few requests are let in, and those that come later find it.
      all = new OAuth2ClientPropertiesMapper(properties).asClientRegistrations();
      known = all;
    }
    return all.get(id);
  }
}
