package io.waybill.server.relay;

import io.waybill.server.access.LoginLimit;
import io.waybill.server.access.TokenLogin;
import io.waybill.server.access.TooManyLogins;
import io.waybill.server.login.IssuerLogin;
import io.waybill.server.login.LoginSecurity;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import io.waybill.spring.internal.api.Role;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Probes for everybody, whose reasons are for those who have logged in; all else for these. Users
 * of the API need a role for all outboxes, except for the API itself, which looks at roles.
 */
@Configuration(proxyBeanMethods = false)
class LoginApplication {
  private static final String[] READING =
      Stream.of(Role.values()).map(Role::role).toArray(String[]::new);
  private static final String[] CHANGING = {Role.OPERATOR.role(), Role.ADMINISTRATOR.role()};

  @Bean
  SecurityFilterChain waybillLogin(
      HttpSecurity http,
      Environment environment,
      ObjectProvider<UserDetailsService> users,
      ObjectProvider<PasswordEncoder> encoder,
      ObjectProvider<TokenLogin> tokens,
      ObjectProvider<LoginSecurity> browsers,
      ObjectProvider<IssuerLogin> issuer)
      throws Exception {
    List<String> challenges = new ArrayList<>();
    List<AuthenticationProvider> providers = new ArrayList<>();
    tokens.ifAvailable(
        login -> {
          challenges.add(TokenLogin.CHALLENGE);
          http.addFilterBefore(login.filter(), BasicAuthenticationFilter.class);
        });
    boolean pages = browsers.getIfAvailable() != null;
    AuthenticationEntryPoint refused =
        (request, response, why) -> {
          if (!pages || !LoginSecurity.led(request, response)) {
            refuse(
                response,
                why,
                LoginSecurity.isScript(request) ? List.of() : List.copyOf(challenges));
          }
        };
    users.ifAvailable(
        known -> {
          challenges.add("Basic realm=\"Waybill\"");
          DaoAuthenticationProvider passwords = new DaoAuthenticationProvider(known);
          encoder.ifAvailable(passwords::setPasswordEncoder);
          providers.add(new LoginLimit(passwords));
          http.httpBasic(basic -> basic.authenticationEntryPoint(refused));
        });
    issuer.ifAvailable(login -> providers.add(login.provider()));
    if (!providers.isEmpty()) {
      // Without a parent, which would check a refused password once more.
      http.authenticationManager(new ProviderManager(providers));
    }
    PathPatternRequestMatcher.Builder paths = PathPatternRequestMatcher.withDefaults();
    RequestMatcher exempt =
        new OrRequestMatcher(
            paths.matcher("/waybill/**"), paths.matcher(ApiRequestHandler.PATH + "/**"));
    browsers.ifAvailable(
        logins -> {
          logins.add(http, exempt);
          http.exceptionHandling(handling -> handling.accessDeniedHandler(logins.denied()));
        });
    if (!pages) {
      http.csrf(csrf -> csrf.ignoringRequestMatchers(exempt));
    }
    return http.authorizeHttpRequests(requests -> allow(requests, environment))
        .exceptionHandling(handling -> handling.authenticationEntryPoint(refused))
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .build();
  }

  private static void allow(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
          requests,
      Environment environment) {
    requests.requestMatchers("/livez", "/readyz").permitAll();
    requests.dispatcherTypeMatchers(DispatcherType.ERROR).permitAll();
    if (RelayDefaults.hasApi(environment)) {
      LoginSecurity.allow(requests);
      // All else is about every outbox.
      requests
          .requestMatchers(ApiRequestHandler.PATH + "/**")
          .authenticated()
          .requestMatchers(HttpMethod.GET)
          .hasAnyRole(READING)
          .requestMatchers(HttpMethod.HEAD)
          .hasAnyRole(READING)
          .anyRequest()
          .hasAnyRole(CHANGING);
    } else {
      requests.anyRequest().authenticated();
    }
  }

  private static void refuse(
      HttpServletResponse response, AuthenticationException why, List<String> challenges)
      throws IOException {
    if (why instanceof TooManyLogins tooMany) {
      response.setHeader("Retry-After", Long.toString(tooMany.seconds()));
      ApiRequestHandler.send(response, ApiProblem.tooManyLogins(tooMany.seconds()));
      return;
    }
    challenges.forEach(challenge -> response.addHeader("WWW-Authenticate", challenge));
    ApiRequestHandler.send(response, ApiProblem.unauthorized());
  }
}
