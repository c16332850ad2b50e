package io.waybill.server.login;

import io.waybill.internal.jdbc.operator.Logins;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;

/**
 * Logins of users with passwords, and of those whom an issuer knows. What the former may do is
 * looked up at each request, so who has been removed is logged out, as is who gets another
 * password. The latter keep the roles that the issuer gave, until the login ends. Thread-safe.
 */
final class BrowserLogins {
  private static final String OWN_ROLES = "ROLE_WAYBILL_";

  private final LoginStore store;
  private final @Nullable UserDetailsService users;
  private final @Nullable String issuerSecret;

  /**
   * Logins of either kind.
   *
   * @param users those with passwords, or null for none
   * @param issuerSecret what instances share, or null without an issuer
   */
  BrowserLogins(
      LoginStore store, @Nullable UserDetailsService users, @Nullable String issuerSecret) {
    this.store = store;
    this.users = users;
    this.issuerSecret = issuerSecret;
  }

  /** Begins a login with a new cookie: what the browser had before is worth nothing. */
  void begin(HttpServletRequest request, HttpServletResponse response, Authentication user) {
    LoginToken token = LoginToken.random();
    String roles =
        user instanceof OAuth2AuthenticationToken
            ? user.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .filter(role -> role != null && role.startsWith(OWN_ROLES))
                .sorted()
                .collect(Collectors.joining("\n"))
            : null;
    String name = user.getName();
    store.begin(token, new Logins.Login(name, roles, proof(token, name, roles).orElseThrow()));
    LoginCookie.of(request).ifPresent(store::end);
    LoginCookie.set(request, response, token);
  }

  /** Whose login it is; nobody if it has ended. */
  Optional<Authentication> find(LoginToken token, boolean used) {
    return store.find(token, used).flatMap(login -> user(token, login));
  }

  private Optional<Authentication> user(LoginToken token, Logins.Login login) {
    return proof(token, login.name(), login.roles())
        .filter(proof -> LoginToken.same(proof, login.proof()))
        .map(
            proof ->
                UsernamePasswordAuthenticationToken.authenticated(
                    login.name(), null, authorities(login)));
  }

  private Collection<? extends GrantedAuthority> authorities(Logins.Login login) {
    String roles = login.roles();
    if (roles == null) {
      return known(login.name()).map(UserDetails::getAuthorities).orElseThrow();
    }
    return AuthorityUtils.createAuthorityList(roles.lines().toList());
  }

  private Optional<UserDetails> known(String name) {
    try {
      return users == null ? Optional.empty() : Optional.of(users.loadUserByUsername(name));
    } catch (UsernameNotFoundException e) {
      return Optional.empty();
    }
  }

  void end(HttpServletRequest request, HttpServletResponse response) {
    LoginCookie.of(request).ifPresent(store::end);
    LoginCookie.clear(request, response);
  }

  /** Who writes the table has neither the cookie's token nor what else is needed. */
  private Optional<String> proof(LoginToken token, String name, @Nullable String roles) {
    if (roles != null) {
      return Optional.ofNullable(issuerSecret)
          .map(secret -> token.code("issuer", name, roles, secret));
    }
    return known(name)
        .map(user -> token.code("password", name, String.valueOf(user.getPassword())));
  }
}
