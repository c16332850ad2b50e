package io.waybill.spring.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/** Checks Waybill's keys before Spring Boot binds them. */
@AutoConfiguration
public class WaybillConfigAutoConfiguration {

  /** For Spring. */
  public WaybillConfigAutoConfiguration() {}

  @Bean
  static ConfigurationPropertiesBindHandlerAdvisor waybillConfigCheck(
      ConfigurableEnvironment environment) {
    ConfigCheck.requireSwitch(environment);
    return new ConfigCheck(environment);
  }
}
