package io.waybill.console.autoconfigure;

import io.waybill.console.internal.ConsoleRequestHandler;
import io.waybill.spring.autoconfigure.WaybillApiAutoConfiguration;
import io.waybill.spring.internal.api.OutboxApi;
import io.waybill.spring.properties.WaybillProperties;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** The console for operators, where Spring Security decides who may do what. */
@AutoConfiguration(
    after = WaybillApiAutoConfiguration.class,
    afterName =
        "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration")
@ConditionalOnBean(OutboxApi.class)
@ConditionalOnBooleanProperty("waybill.console.enabled")
public class WaybillConsoleAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(WaybillConsoleAutoConfiguration.class);
  private static final String CHAIN = "org.springframework.security.web.SecurityFilterChain";
  // Behind the API's.
  private static final int ORDER = 102;

  /** For Spring. */
  public WaybillConsoleAutoConfiguration() {}

  /** Where Spring Security protects the application. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(type = CHAIN)
  static class Protected {
    @Bean
    SimpleUrlHandlerMapping waybillConsoleMapping(OutboxApi api, WaybillProperties properties) {
      ConsoleRequestHandler console = new ConsoleRequestHandler(api, properties);
      SimpleUrlHandlerMapping mapping =
          new SimpleUrlHandlerMapping(
              ConsoleRequestHandler.ADDRESSES.stream()
                  .collect(Collectors.toMap(Function.identity(), address -> console)));
      mapping.setOrder(ORDER);
      return mapping;
    }
  }

  /** Where nothing does. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(type = CHAIN)
  static class Unprotected {
    Unprotected() {
      LOG.warn(
          "waybill.console.enabled: the console is not there, because Spring Security does not"
              + " protect this application; add it, and give users a role like WAYBILL_VIEWER");
    }
  }
}
