package io.waybill.server.login;

import io.waybill.internal.jdbc.operator.Logins;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * Logins by name and password. What a user may do is looked up at each request, so who has been
 * removed is logged out. A login also ends when its user gets another password. Thread-safe.
 */
final class BrowserLogins {
  private final LoginStore store;
  private final UserDetailsService users;

  BrowserLogins(LoginStore store, UserDetailsService users) {
    this.store = store;
    this.users = users;
  }

  /** Begins a login with a new cookie: what the browser had before is worth nothing. */
  void begin(HttpServletRequest request, HttpServletResponse response, String name) {
    UserDetails user = users.loadUserByUsername(name);
    LoginToken token = LoginToken.random();
    store.begin(token, new Logins.Login(user.getUsername(), null, proof(token, user)));
    LoginCookie.of(request).ifPresent(store::end);
    LoginCookie.set(request, response, token);
  }

  /** Whose login it is; nobody if it has ended. */
  Optional<Authentication> find(LoginToken token, boolean used) {
    return store.find(token, used).flatMap(login -> user(token, login));
  }

  private Optional<Authentication> user(LoginToken token, Logins.Login login) {
    try {
      UserDetails user = users.loadUserByUsername(login.name());
      return LoginToken.same(proof(token, user), login.proof())
          ? Optional.of(
              UsernamePasswordAuthenticationToken.authenticated(
                  user.getUsername(), null, user.getAuthorities()))
          : Optional.empty();
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
}
