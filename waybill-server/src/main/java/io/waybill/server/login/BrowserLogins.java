package io.waybill.server.login;

import io.waybill.internal.jdbc.operator.Logins;
import io.waybill.spring.internal.api.ApiProblem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.Objects;
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
    store.begin(
        token, user instanceof OAuth2AuthenticationToken ? issued(token, user) : own(token, user));
    LoginCookie.of(request).ifPresent(store::end);
    LoginCookie.set(request, response, token);
  }

  private Logins.Login own(LoginToken token, Authentication user) {
    UserDetails known = known(user.getName()).orElseThrow(ApiProblem::unauthorized);
    return new Logins.Login(known.getUsername(), null, proof(token, known));
  }

  private Logins.Login issued(LoginToken token, Authentication user) {
    String roles =
        user.getAuthorities().stream()
            .map(GrantedAuthority::getAuthority)
            .filter(role -> role != null && role.startsWith(OWN_ROLES))
            .sorted()
            .collect(Collectors.joining("\n"));
    String secret = Objects.requireNonNull(issuerSecret);
    return new Logins.Login(user.getName(), roles, proof(token, user.getName(), roles, secret));
  }

  /** Whose login it is; nobody if it has ended. */
  Optional<Authentication> find(LoginToken token, boolean used) {
    return store.find(token, used).flatMap(login -> user(token, login));
  }

  private Optional<Authentication> user(LoginToken token, Logins.Login login) {
    String roles = login.roles();
    if (roles == null) {
      return known(login.name())
          .filter(user -> LoginToken.same(proof(token, user), login.proof()))
          .map(user -> known(user.getUsername(), user.getAuthorities()));
    }
    return Optional.ofNullable(issuerSecret)
        .filter(secret -> LoginToken.same(proof(token, login.name(), roles, secret), login.proof()))
        .map(
            secret ->
                known(login.name(), AuthorityUtils.createAuthorityList(roles.lines().toList())));
  }

  private static Authentication known(String name, Collection<? extends GrantedAuthority> roles) {
    return UsernamePasswordAuthenticationToken.authenticated(name, null, roles);
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

  /** Who writes the table has neither the cookie's token nor the hash of the password. */
  private static String proof(LoginToken token, UserDetails user) {
    return token.code("password", user.getUsername(), String.valueOf(user.getPassword()));
  }

  private static String proof(LoginToken token, String name, String roles, String secret) {
    return token.code("issuer", name, roles, secret);
  }
}
