package io.waybill.server.relay;

import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import io.waybill.spring.internal.api.Role;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

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
  SecurityFilterChain waybillLogin(HttpSecurity http, Environment environment) throws Exception {
    return http.authorizeHttpRequests(
            requests -> {
              requests.requestMatchers("/livez", "/readyz").permitAll();
              requests.dispatcherTypeMatchers(DispatcherType.ERROR).permitAll();
              if (RelayDefaults.hasApi(environment)) {
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
            })
        .httpBasic(
            basic ->
                basic.authenticationEntryPoint((request, response, refused) -> unknown(response)))
        .csrf(csrf -> csrf.ignoringRequestMatchers("/waybill/**", ApiRequestHandler.PATH + "/**"))
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .build();
  }

  private static void unknown(HttpServletResponse response) throws IOException {
    response.setHeader("WWW-Authenticate", "Basic realm=\"Waybill\"");
    ApiRequestHandler.send(response, ApiProblem.unauthorized());
  }
}
