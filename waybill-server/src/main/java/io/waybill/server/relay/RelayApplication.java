package io.waybill.server.relay;

import io.waybill.spring.autoconfigure.RelayLifecycle;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** What a relay has besides the starter: no data source, and probes of the process. */
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
  HealthIndicator waybillLiveness(ObjectProvider<RelayLifecycle> relays) {
    return new LivenessIndicator(relays.stream().toList());
  }
}
