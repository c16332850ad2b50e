package io.waybill.server.relay;

import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ApiRequestHandler;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/** Probes for everybody, whose reasons are for those who have logged in; all else for these. */
@Configuration(proxyBeanMethods = false)
class LoginApplication {
  @Bean
  SecurityFilterChain waybillLogin(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(
            requests ->
                requests
                    .requestMatchers("/livez", "/readyz")
                    .permitAll()
                    .anyRequest()
                    .authenticated())
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
