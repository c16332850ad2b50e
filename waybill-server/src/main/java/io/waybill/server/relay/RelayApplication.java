package io.waybill.server.relay;

import io.waybill.spring.autoconfigure.RelayLifecycle;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/** What a relay has besides the starter: no data source, probes of the process, and a login. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    exclude = {
      DataSourceAutoConfiguration.class,
      DataSourceTransactionManagerAutoConfiguration.class,
      JdbcClientAutoConfiguration.class,
      JdbcTemplateAutoConfiguration.class
    })
class RelayApplication {
  @Bean
  HealthIndicator waybillLiveness(List<RelayLifecycle> relays) {
    return new LivenessIndicator(relays);
  }

  /** Probes for everybody, whose reasons are for those who have logged in; all else for these. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(RelayDefaults.LOGIN)
  static class Login {
    @Bean
    SecurityFilterChain waybillLogin(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(
              requests ->
                  requests
                      .requestMatchers("/livez", "/readyz")
                      .permitAll()
                      .anyRequest()
                      .authenticated())
          .httpBasic(Customizer.withDefaults())
          .csrf(csrf -> csrf.ignoringRequestMatchers("/waybill/**"))
          .sessionManagement(
              sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
          .build();
    }
  }
}
